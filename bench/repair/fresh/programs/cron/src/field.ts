export type FieldSpec = { name: string; min: number; max: number; words?: readonly string[] }

export class CronError extends Error {}

// Reads one field of a cron line ("*", "5", "1-5", "*/15", "10-40/10", "mon,wed") into sorted numbers.
export function parseField(text: string, spec: FieldSpec): number[] {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    for (const value of parsePart(part, spec)) values.add(value)
  }
  return [...values].sort((a, b) => a - b)
}

function parsePart(part: string, spec: FieldSpec): number[] {
  const [range = '', stepText, more] = part.split('/')
  if (more !== undefined) throw new CronError(`${spec.name}: two steps in ${part}`)
  const step = stepText === undefined ? 1 : parseStep(stepText, spec)
  const [first, last] = parseRange(range, spec, stepText !== undefined)
  const values: number[] = []
  for (let value = first; value <= last; value += step) values.push(value)
  return values
}

// A single value with a step means from there to the end.
function parseRange(text: string, spec: FieldSpec, hasStep: boolean): [number, number] {
  if (text === '*') return [spec.min, spec.max]
  const [from = '', to, more] = text.split('-')
  if (more !== undefined) throw new CronError(`${spec.name}: two ranges in ${text}`)
  const first = parseValue(from, spec)
  if (to === undefined) return [first, hasStep ? spec.max : first]
  const last = parseValue(to, spec)
  if (last < first) throw new CronError(`${spec.name}: ${text} runs backwards`)
  return [first, last]
}

function parseStep(text: string, spec: FieldSpec): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new CronError(`${spec.name}: ${text} is no step`)
  return Number(text)
}

function parseValue(text: string, spec: FieldSpec): number {
  const word = spec.words?.indexOf(text.toLowerCase()) ?? -1
  if (word >= 0) return spec.min + word
  if (!/^\d+$/.test(text)) throw new CronError(`${spec.name}: ${text} is no value`)
  const value = Number(text)
  if (value < spec.min || value > spec.max) {
    throw new CronError(`${spec.name}: ${value} is not within ${spec.min} and ${spec.max}`)
  }
  return value
}
