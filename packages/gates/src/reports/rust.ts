// What a failed Rust test said: what it printed, where it panicked and why.
import type { TestFailure } from '@treadle/contracts/gate'
import { framesOf } from './frames.ts'
import { makeFailure } from './report.ts'

/** The source of the test program that cargo says it runs. */
export function targetOf(line: string): string | null {
  return (
    /^\s+Running (?:unittests )?(\S+\.rs) \(/.exec(line)?.[1] ?? (/^\s+Doc-tests \S/.test(line) ? '' : null)
  )
}

interface RustFailureText {
  readonly name: string
  readonly target: string | null
  readonly said: string
  readonly durationMs?: number | null
  readonly cwd: string
}

const panic = /^thread '.*' (?:\(\d+\) )?panicked at (.*)$/m

export function rustFailure({ name, target, said, durationMs, cwd }: RustFailureText): TestFailure {
  const at = panic.exec(said)
  const output = at ? said.slice(0, at.index) : null
  const rest = at ? said.slice(at.index) : said
  const place = framesOf(rest, cwd).find((frame) => frame.own)
  const fallback = /(\S+\.rs):(\d+)/.exec(rest)
  return makeFailure({
    names: [name],
    idFile: target ?? '',
    file: place?.file ?? fallback?.[1] ?? (target || null),
    line: place?.line ?? (fallback ? Number(fallback[2]) : null),
    message: messageOf(rest, at),
    stack: rest.trim(),
    expected: /^ *right: (.*)$/m.exec(rest)?.[1] ?? null,
    actual: /^ *left: (.*)$/m.exec(rest)?.[1] ?? null,
    durationMs: durationMs ?? null,
    output,
    cwd,
  })
}

function messageOf(rest: string, at: RegExpExecArray | null): string {
  const end = rest.search(/^(?:stack backtrace:|note: (?:run with|Some details))/m)
  const body = end < 0 ? rest : rest.slice(0, end)
  // Before Rust 1.73 the message stood before the place, in quotes.
  const old = /^'([\s\S]*)', \S+:\d+:\d+$/.exec(at?.[1] ?? '')
  if (old) return old[1] ?? ''
  const lines = body.trim().split('\n')
  return (at ? lines.slice(1) : lines).join('\n').replace(/^note: /, '')
}
