import { bump, compareVersions, parseVersion, type Version } from './version.ts'

type Test = { operator: string; version: Version }

// Alternatives stand between ||; within one, all parts must hold.
export function satisfies(version: string, range: string): boolean {
  const wanted = parseVersion(version)
  return range.split('||').some((alternative) => {
    const tests = alternative.split(/\s+/).filter(Boolean).flatMap(expand)
    return tests.every((test) => holds(wanted, test))
  })
}

function expand(part: string): Test[] {
  if (part === '*') return []
  const match = /^(\^|~|>=|<=|>|<|=)?(.+)$/.exec(part)
  const operator = match?.[1] ?? '='
  const version = parseVersion(match?.[2] ?? '')
  if (operator === '^')
    return [
      { operator: '>=', version },
      { operator: '<', version: caretEnd(version) },
    ]
  if (operator === '~')
    return [
      { operator: '>=', version },
      { operator: '<', version: bump(version, 'minor') },
    ]
  return [{ operator, version }]
}

// The first part that is not zero may not change.
function caretEnd(version: Version): Version {
  if (version.major > 0) return bump(version, 'major')
  return version.minor > 0 ? bump(version, 'minor') : { ...version, patch: version.patch + 1, pre: [] }
}

function holds(version: Version, { operator, version: bound }: Test): boolean {
  const order = compareVersions(version, bound)
  if (operator === '>') return order > 0
  if (operator === '<') return order < 0
  if (operator === '>=') return order >= 0
  return operator === '<=' ? order <= 0 : order === 0
}

export function newest(versions: readonly string[], range = '*'): string | null {
  const matching = versions.filter((version) => satisfies(version, range))
  matching.sort((a, b) => compareVersions(parseVersion(b), parseVersion(a)))
  return matching[0] ?? null
}
