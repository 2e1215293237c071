import { type Config, isConfig, readPath, type Value } from './merge.ts'

const reference = /%\(([a-z_.]+)(?::([^)]*))?\)/gi

// Replaces %(a.b) by the value at that path and %(a.b:x) by x when there is none.
export function expandConfig(config: Config, depth = 5): Config {
  const expanded = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, expandValue(value, config, depth)]),
  )
  return expanded
}

function expandValue(value: Value, root: Config, depth: number): Value {
  if (typeof value === 'string') return expandText(value, root, depth)
  if (Array.isArray(value)) return value.map((item) => expandValue(item, root, depth))
  if (!isConfig(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandValue(item, root, depth)]))
}

function expandText(text: string, root: Config, depth: number): string {
  return text.replace(reference, (_whole, path: string, fallback: string | undefined) => {
    if (depth === 0) throw new RangeError(`${path} refers to itself`)
    const found = readPath(root, path)
    if (found === null && fallback === undefined) throw new RangeError(`no value for ${path}`)
    return expandText(found === null ? (fallback ?? '') : String(found), root, depth - 1)
  })
}
