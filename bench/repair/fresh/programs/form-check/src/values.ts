import { bad, type Check, type Checked, ok, type Path, type Problem } from './problem.ts'

export type TextRules = { min?: number; max?: number; pattern?: RegExp; trim?: boolean }
export type NumberRules = { min?: number; max?: number; whole?: boolean }

export function text({ min = 0, max, pattern, trim = true }: TextRules = {}): Check<string> {
  return (input, path = []) => {
    if (typeof input !== 'string') return bad(path, 'must be a text')
    const value = trim ? input.trim() : input
    const messages: string[] = []
    if (value.length < min) messages.push(min === 1 ? 'must not be empty' : `needs ${min} characters`)
    if (max !== undefined && value.length > max) messages.push(`has more than ${max} characters`)
    if (pattern && value.length >= min && !pattern.test(value)) messages.push('has the wrong form')
    return judge(value, messages, path)
  }
}

// A text that reads as a number is one too, since forms send texts.
export function number({ min, max, whole = false }: NumberRules = {}): Check<number> {
  return (input, path = []) => {
    const isText = typeof input === 'string' && input.trim() !== ''
    const value = isText ? Number(input) : input
    if (typeof value !== 'number' || !Number.isFinite(value)) return bad(path, 'must be a number')
    const messages: string[] = []
    if (whole && !Number.isInteger(value)) messages.push('must be whole')
    if (min !== undefined && value < min) messages.push(`must be at least ${min}`)
    if (max !== undefined && value > max) messages.push(`must be at most ${max}`)
    return judge(value, messages, path)
  }
}

export function choice<const T extends string>(choices: readonly T[]): Check<T> {
  return (input, path = []) => {
    const found = choices.find((one) => one === input)
    return found === undefined ? bad(path, `must be one of ${choices.join(', ')}`) : ok(found)
  }
}

export function flag(): Check<boolean> {
  return (input, path = []) => {
    if (input === true || input === 'on' || input === 'true') return ok(true)
    if (input === false || input === 'off' || input === 'false') return ok(false)
    return bad(path, 'must be on or off')
  }
}

// Nothing at all, null or an empty text give the fallback.
export function optional<T>(check: Check<T>, fallback: T): Check<T> {
  return (input, path = []) => {
    const missing = input === undefined || input === null || input === ''
    return missing ? ok(fallback) : check(input, path)
  }
}

function judge<T>(value: T, messages: readonly string[], path: Path): Checked<T> {
  if (messages.length === 0) return ok(value)
  const problems: Problem[] = messages.map((message) => ({ path, message }))
  return { is: 'bad', problems }
}
