// Keeps the old object where a new answer equals it, so that nothing is drawn anew without need.

/** `fresh`, with every part that equals its part in `old` taken from there; for what JSON can carry. */
export function keepEqual<T>(old: unknown, fresh: T): T {
  if (Object.is(old, fresh)) return fresh
  if (Array.isArray(fresh)) return keepList(Array.isArray(old) ? old : [], fresh) as T
  if (isRecord(fresh) && isRecord(old)) return keepRecord(old, fresh) as T
  return fresh
}

function keepList(old: readonly unknown[], fresh: readonly unknown[]): readonly unknown[] {
  const kept = fresh.map((each, index) => keepEqual(old[index], each))
  return kept.length === old.length && kept.every((each, index) => Object.is(each, old[index])) ? old : kept
}

function keepRecord(old: Record<string, unknown>, fresh: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  let same = Object.keys(old).length === Object.keys(fresh).length
  for (const [key, value] of Object.entries(fresh)) {
    kept[key] = keepEqual(old[key], value)
    same &&= key in old && Object.is(kept[key], old[key])
  }
  return same ? old : kept
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
