// The first step of a new workspace: whether the engine of the settings can be used here, in words.
import type { Answer } from '@treadle/contracts/client'

interface EngineStepText {
  readonly title: string
  readonly text: string
  readonly isUsable: boolean
  /** Other engines that can be used here. */
  readonly others: readonly string[]
}

export function engineStep(engines: Answer<'listEngines'> | null, chosen: string): EngineStepText {
  if (engines === null)
    return { title: `Engine: ${chosen}`, text: 'Looking for it…', isUsable: false, others: [] }
  const others = engines.items.filter(({ name, usable }) => usable && name !== chosen && isForPeople(name))
  const own = engines.items.find(({ name }) => name === chosen)
  const names = others.map(({ name }) => name)
  if (own === undefined)
    return { title: `Engine: ${chosen}`, text: 'There is no such engine.', isUsable: false, others: names }
  if (own.usable)
    return { title: `Engine found: ${chosen}`, text: purposeOf(chosen), isUsable: true, others: names }
  const text = [own.found, own.hint].filter((part) => part !== null && part !== '').join(' ')
  return { title: `Engine not ready: ${chosen}`, text, isUsable: false, others: names }
}

/** The scripted engine plays what tests have written. */
function isForPeople(name: string): boolean {
  return name !== 'scripted'
}

function purposeOf(name: string): string {
  return name === 'repair'
    ? 'Fixes failing tests without a model. For features, name another engine in treadle.json.'
    : 'It writes the code. You can name another engine for each item.'
}
