// Texts in which some lines are JSON objects of their own, among lines of other programs.
import type { TestReport } from '@treadle/contracts/gate'
import { type Layer, rangesOf } from './layers.ts'

/** All such lines of an output are one report, if one of them has the mark. */
export function jsonLines(mark: RegExp, read: (text: string, cwd: string) => TestReport | null): Layer {
  return ({ raw }, cwd) => {
    if (!raw.some((line) => mark.test(line))) return null
    const report = read(raw.join('\n'), cwd)
    // Each line by itself: between them other programs may speak, and go's compiler does.
    return report && { reports: [report], ranges: rangesOf(raw, /(?!)/, /^(?:\{|FAIL\b|ok {2}\t|# )/) }
  }
}

/** Each object with what it parsed to; other lines are handed over as they are. */
export function* readLines(text: string): Generator<{ value: object } | { said: string }> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const value = line.startsWith('{') ? parse(line) : null
    yield value === null ? { said: line } : { value }
  }
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
