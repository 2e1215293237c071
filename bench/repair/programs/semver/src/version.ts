export type Version = { major: number; minor: number; patch: number; pre: string[] }

const shape = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9a-z.-]+))?$/i

export function parseVersion(text: string): Version {
  const match = shape.exec(text.trim())
  if (!match) throw new SyntaxError(`not a version: ${text}`)
  const [, major, minor, patch, pre] = match
  return { major: Number(major), minor: Number(minor), patch: Number(patch), pre: pre ? pre.split('.') : [] }
}

export function formatVersion({ major, minor, patch, pre }: Version): string {
  const core = `${major}.${minor}.${patch}`
  return pre.length > 0 ? `${core}-${pre.join('.')}` : core
}

export function compareVersions(a: Version, b: Version): number {
  const core = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  return core !== 0 ? Math.sign(core) : comparePre(a.pre, b.pre)
}

// A release comes after its own pre-releases; numbers come before words, and fewer parts before more.
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length)
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const order = comparePart(a[index] ?? '', b[index] ?? '')
    if (order !== 0) return order
  }
  return Math.sign(a.length - b.length)
}

function comparePart(a: string, b: string): number {
  const aIsNumber = /^\d+$/.test(a)
  const bIsNumber = /^\d+$/.test(b)
  if (aIsNumber && bIsNumber) return Math.sign(Number(a) - Number(b))
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function bump(version: Version, part: 'major' | 'minor' | 'patch'): Version {
  const { major, minor, patch, pre } = version
  if (part === 'major') return { major: major + 1, minor: 0, patch: 0, pre: [] }
  if (part === 'minor') return { major, minor: minor + 1, patch: 0, pre: [] }
  // A pre-release of a patch becomes that patch.
  return { major, minor, patch: pre.length > 0 ? patch : patch + 1, pre: [] }
}
