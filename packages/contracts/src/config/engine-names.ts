// Engines that the settings name and that there are not: a word that was misspelt must not pass in silence.
import type { Config } from '../config.ts'
import { ENGINE_NAMES } from './engines.ts'

type Engines = Config['engines']

/** The settings without engines that there are not, and a warning for each. */
export function knownEngines(engines: Engines, warnings: string[]): Engines {
  const isKnown = (name: string | null) => name === null || ENGINE_NAMES.includes(name)
  for (const name of Object.keys(engines.models).filter((each) => !isKnown(each)))
    warnings.push(`engines.models: ${unknownWords(name)}, so its models are asked by nobody`)
  for (const key of ['default', 'reviewer'] as const) {
    const name = engines[key]
    if (!isKnown(name)) warnings.push(`engines.${key}: ${unknownWords(String(name))}`)
  }
  const dropped = (['fallback', 'first'] as const).filter((key) => !isKnown(engines[key]))
  for (const key of dropped)
    warnings.push(`engines.${key}: ${unknownWords(String(engines[key]))}, null is used`)
  return { ...engines, ...Object.fromEntries(dropped.map((key) => [key, null])) }
}

/** What is wrong with a name of an engine; null: there is such a one. */
export function unknownEngine(name: string): string | null {
  return ENGINE_NAMES.includes(name) ? null : unknownWords(name)
}

function unknownWords(name: string): string {
  const near = nearest(name)
  const hint =
    near === null ? `there are ${ENGINE_NAMES.join(', ')}` : `did you mean ${JSON.stringify(near)}?`
  return `there is no engine ${JSON.stringify(name.slice(0, 60))} (${hint})`
}

/** The engine whose name is nearest; null: none is near. */
function nearest(name: string): string | null {
  const asked = name.toLowerCase().replace(/[^a-z]/g, '')
  const [first] = ENGINE_NAMES.map((known) => ({
    known,
    far: changes(asked, known.replace(/[^a-z]/g, '')),
  })).sort((one, other) => one.far - other.far)
  if (first === undefined) return null
  const isPart = asked.length >= 3 && first.known.replace(/[^a-z]/g, '').startsWith(asked)
  return isPart || first.far <= Math.max(1, Math.floor(first.known.length / 3)) ? first.known : null
}

/** How many letters have to be put in, taken out or replaced. */
function changes(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, wanted] of [...other].entries())
      next.push(
        Math.min(
          (next[place] ?? 0) + 1,
          (row[place + 1] ?? 0) + 1,
          (row[place] ?? 0) + (letter === wanted ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
