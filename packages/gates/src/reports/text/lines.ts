// What the readers of plain output share.
import type { TestReport } from '@treadle/contracts/gate'
import { type Layer, rangesOf } from '../layers.ts'

/** Null if the lines are not this runner's. */
export type TextReader = (lines: readonly string[], cwd: string) => TestReport | null

/** A reader that adds up all runs of its runner by itself; `own` and `closes` tell which lines are theirs. */
export function wholeText(read: TextReader, own: RegExp, closes: RegExp): Layer {
  return ({ plain }, cwd) => {
    const report = read(plain, cwd)
    return report && { reports: [report], ranges: rangesOf(plain, own, closes) }
  }
}

/** The place of the last line that matches and that the lines before it confirm; -1 if there is none. */
export function lastLine(
  lines: readonly string[],
  pattern: RegExp,
  confirm: (at: number) => boolean = () => true,
): number {
  return lines.findLastIndex((line, at) => line.length <= lineCharsMax && pattern.test(line) && confirm(at))
}

const lineCharsMax = 2_000

/** Numbers by the word after them: `4 failed | 2 passed`. */
export function countsIn(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [, count, word] of text.slice(0, lineCharsMax).matchAll(/(\d{1,9}) ([a-z]+)/g)) {
    found.set(word ?? '', (found.get(word ?? '') ?? 0) + Number(count))
  }
  return found
}

/** The sum of those counts. */
export function sum(counts: ReadonlyMap<string, number>, ...words: readonly string[]): number {
  return words.reduce((all, word) => all + (counts.get(word) ?? 0), 0)
}

/** Lines cut into blocks at those that are headings; what comes before the first is left out. */
export function blocksOf<T>(
  lines: readonly string[],
  heading: (line: string, at: number) => T | null,
): { heading: T; body: string[] }[] {
  const blocks: { heading: T; body: string[] }[] = []
  lines.forEach((line, at) => {
    const found = line.length <= lineCharsMax ? heading(line, at) : null
    if (found !== null) blocks.push({ heading: found, body: [] })
    else blocks.at(-1)?.body.push(line)
  })
  return blocks
}

export function dedent(lines: readonly string[], spaces: number): string[] {
  const margin = ' '.repeat(spaces)
  return lines.map((line) => (line.startsWith(margin) ? line.slice(spaces) : line.trimStart()))
}

/** The lines before the first one that matches. */
export function until(lines: readonly string[], end: RegExp): string[] {
  const at = lines.findIndex((line) => end.test(line))
  return at < 0 ? [...lines] : lines.slice(0, at)
}
