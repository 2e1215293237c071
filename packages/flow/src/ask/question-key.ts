// What makes two questions the same one: where they come from, not the words that facts have filled in.
import type { NewQuestion } from '@treadle/contracts/question'

type KeyedQuestion = Pick<
  NewQuestion,
  'agent' | 'event' | 'template' | 'tags' | 'text' | 'context' | 'options' | 'type'
>

/**
 * An engine's own words have no template: with them all that was asked counts, without case and spacing. Only where a
 * way of doing things is asked for does the reason not matter.
 */
export function keyOf({ agent, event, template, tags, text, context, options, type }: KeyedQuestion): string {
  const marks = [...new Set(tags.map((tag) => tag.toLowerCase()))].sort()
  if (event !== null) return JSON.stringify([agent, event, template, marks])
  const why = type === 'preference' ? '' : plain(context)
  return JSON.stringify([marks, plain(text), why, options.map(({ label }) => plain(label))])
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}
