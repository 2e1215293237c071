export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
export type Config = { [key: string]: Value }

export function isConfig(value: Value | undefined): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Later layers win; objects are merged, lists are replaced, and null takes a key away.
export function mergeConfig(...layers: readonly Config[]): Config {
  const result: Config = {}
  for (const layer of layers) mergeInto(result, layer)
  return result
}

function mergeInto(target: Config, layer: Config): void {
  for (const [key, value] of Object.entries(layer)) {
    const known = target[key]
    if (value === null) delete target[key]
    else if (isConfig(value)) target[key] = mergeConfig(isConfig(known) ? known : {}, value)
    else target[key] = structuredClone(value)
  }
}

// Reads a dotted path, with a fallback for what is not there.
export function readPath(config: Config, path: string, fallback: Value = null): Value {
  let value: Value | undefined = config
  for (const key of path.split('.')) {
    if (!isConfig(value) || !Object.hasOwn(value, key)) return fallback
    value = value[key]
  }
  return value ?? fallback
}

export function writePath(config: Config, path: string, value: Value): Config {
  const [key = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...config, [key]: value }
  const inner = config[key]
  return { ...config, [key]: writePath(isConfig(inner) ? inner : {}, rest.join('.'), value) }
}
