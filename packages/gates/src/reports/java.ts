// What a failed test of JUnit or TestNG said, as Maven and Gradle tell it.
import type { StackFrame, TestFailure } from '@treadle/contracts/gate'
import { framesOf } from './frames.ts'
import { fileOfClass } from './java-sources.ts'
import { makeFailure, splitError } from './report.ts'

/** The call that stands in the test's own class, a class in it, or code that the compiler made from it. */
export function frameInClass(frames: readonly StackFrame[], className: string): StackFrame | null {
  const names = [`${className}.`, `${className}$`]
  const inClass = ({ file, fn }: StackFrame): boolean =>
    /\.(?:java|kts?|groovy|scala)$/.test(file) && names.some((name) => fn?.startsWith(name) === true)
  return className === '' ? null : (frames.find(inClass) ?? null)
}

interface JavaFailureText {
  readonly className: string
  readonly name: string
  /** The error and its stack. */
  readonly said: string
  readonly durationMs?: number | null
  readonly cwd: string
}

export function javaFailure({ className, name, said, durationMs = null, cwd }: JavaFailureText): TestFailure {
  const { message, stack } = splitError(said)
  const frame = frameInClass(framesOf(said, cwd), className)
  const file = frame?.file ?? fileOfClass(className, cwd)
  return makeFailure({
    names: [className, name],
    idFile: '',
    file,
    line: frame?.line ?? null,
    message,
    stack,
    ...comparedIn(said),
    durationMs,
    cwd,
  })
}

interface Compared {
  readonly expected: string | null
  readonly actual: string | null
}

// JUnit 4 and 5, TestNG, Kotlin's own, and AssertJ and Hamcrest on lines of their own.
const comparisons: readonly RegExp[] = [
  /expected: ?<([^\n]*)> but was: ?<([^\n]*)>/,
  /expected \[([^\n]*)\] but found \[([^\n]*)\]/,
  /Expected <([^\n]*)>, actual <([^\n]*)>/,
  /^\s*expected: ([^\n]+)\n\s*but was: ([^\n]+)$/m,
  /^\s*Expected: ([^\n]+)\n\s*but: (?:was )?([^\n]+)$/m,
]
const comparedCharsMax = 8_000

export function comparedIn(text: string): Compared {
  const said = text.slice(0, comparedCharsMax)
  for (const pattern of comparisons) {
    const [, expected, actual] = pattern.exec(said) ?? []
    if (expected === undefined || actual === undefined) continue
    return said.includes('ComparisonFailure') ? unmarked(expected, actual) : { expected, actual }
  }
  return { expected: null, actual: null }
}

/** JUnit 4 puts brackets around what differs; what it has cut off with dots cannot be put back. */
function unmarked(expected: string, actual: string): Compared {
  const marked = /^(.*?)\[(.*)\](.*)$/
  const [, begin, left, end] = marked.exec(expected) ?? []
  const [, beginHere, right, endHere] = marked.exec(actual) ?? []
  const same = begin !== undefined && begin === beginHere && end === endHere
  if (!same || begin.startsWith('...') || end?.endsWith('...')) return { expected, actual }
  return { expected: `${begin}${left}${end}`, actual: `${begin}${right}${end}` }
}
