// What makes an idea done: to which feature each criterion belongs, and whether a program can judge it.
import type { Feature } from './features.ts'
import { tellingWords } from './names.ts'

/** Words of taste and of people: no program can say whether it holds. */
const JUDGED =
  /\b(?:beautiful|delight\w*|easy|easily|enjoy\w*|feels?|friendly|good[- ]looking|happy|intuitive\w*|likes?|looks? (?:good|right|nice|modern|clean)|love[sd]?|modern|nice|people (?:say|understand|want|would)|pleasant|polished|praise\w*|satisf\w+|testers? (?:say|like|agree)|trust\w*|understandable|users? (?:say|understand|report|agree|would|come back|return)|well[- ]written)\b/i

export function isJudgedByPerson(criterion: string): boolean {
  return JUDGED.test(criterion)
}

/** The feature that a criterion speaks of most; null: of none, so of the whole. */
export function featureFor(criterion: string, features: readonly Feature[]): Feature | null {
  const words = new Set(tellingWords(criterion))
  let best: { feature: Feature; score: number } | null = null
  for (const feature of features) {
    const name = tellingWords(feature.name).filter((word) => words.has(word)).length
    const rest = new Set(tellingWords(`${feature.description} ${feature.details.join(' ')}`))
    const shared = [...words].filter((word) => rest.has(word)).length
    const score = name * 3 + shared
    if (score > 1 && (best === null || score > best.score)) best = { feature, score }
  }
  return best?.feature ?? null
}
