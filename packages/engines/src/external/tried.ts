// The newest version of each program that the suite of the engines was played with, on a model of the loopback.

export const TRIED: Readonly<Record<string, string>> = {
  'claude-code': '2.1.325',
  codex: '2.6.0',
  gemini: '0.61.0',
  opencode: '1.18.18',
}

/** What is said beside a version; empty: it was tried, or is older, or nothing is known of the program. */
export function untriedNote(engine: string, version: string): string {
  const tried = TRIED[engine]
  return tried !== undefined && isNewer(version, tried) ? ` (newer than ${tried}, which was tried)` : ''
}

function isNewer(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)]
  const at = left.findIndex((number, index) => number !== right[index])
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0)
}

const numbersOf = (version: string) => (version.split(/[-+]/)[0] ?? '').split('.').map(Number)
