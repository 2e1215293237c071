// What one failure is about, so that the next one like it is recognised.
import type { FailureKind, Signature } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import { type Frame, framesOf, isTestFile } from './frames.ts'
import { headOf, normaliseMessage, stripColours } from './normalise.ts'

const framesMax = 3
const textCharsMax = 1_500

/** The facts of one failure that signature and grouping share. */
export interface FailureFacts {
  readonly kind: FailureKind
  readonly errorClass: string | null
  readonly message: string
  /** Project frames outside of tests, deepest first. */
  readonly source: readonly Frame[]
  /** The same from where the error really comes from. */
  readonly thrown: readonly Frame[]
  /** Project frames in tests, deepest first. */
  readonly inTest: readonly Frame[]
}

/** Functions that only throw for others: their caller is the place. `requireUser` and the like have a job of their own. */
const thrower =
  /(?:^|[.:#])(?:(?:assert|invariant|fail|panic|raise|unwrap|expect|throw)\w*|ensure|check|must|require)$/i

export function factsOf(failure: TestFailure): FailureFacts {
  const frames = framesOf(failure).filter(({ own }) => own)
  const errorClass = errorClassOf(failure)
  const source = frames.filter(({ file }) => !isTestFile(file, failure))
  const place = source.findIndex(({ fn }) => fn === null || !thrower.test(fn))
  return {
    kind: kindOf(failure, errorClass),
    errorClass,
    message: normaliseMessage(withoutClass(headOf(failure.message), errorClass)),
    source,
    thrown: source.slice(Math.max(0, place)),
    inTest: frames.filter(({ file }) => isTestFile(file, failure)),
  }
}

export function signatureOf(failure: TestFailure): Signature {
  return signatureFrom(factsOf(failure))
}

export function signatureFrom({ kind, errorClass, message, source, inTest }: FailureFacts): Signature {
  const top = source.length > 0 ? source.slice(0, framesMax) : inTest.slice(0, 1)
  const frames = [...new Set(top.map(frameText))]
  const said = `${errorClass ?? kind}: ${message}`
  const text = [said, ...frames].join(' @ ').slice(0, textCharsMax).toWellFormed()
  return { errorClass, message, frames, text, hash: hashOf(text) }
}

/** `parseDay (src/day.ts)`: lines move with every edit, so they are left out. */
export function frameText({ fn, file }: Frame): string {
  return `${fn ?? '<anonymous>'} (${file})`.slice(0, 300).toWellFormed()
}

const className = String.raw`(?:[A-Za-z_$][\w$]*(?:\.|::))*(?:[A-Z][\w$]*)?(?:Error|Exception|Failure|Failed|Interrupt|Panic)`
const classFirst = new RegExp(
  String.raw`^(?:Uncaught |Caused by: |E +)?(${className})\b(?: \[[^\]]*\])?(?::|$)`,
)
const classLater = new RegExp(String.raw`^(?:E +|.*: )?(${className})(?::|\s*$)`, 'm')
const looksAsserted =
  /\bexpect(?:ed)?\b.*\b(?:to|but|received|got|actual|equal)\b|^assert\b|assert(?:ion)?\b.*\bfailed|strictly (?:deep-)?equal|!==|Expected values|Missing expected (?:exception|rejection)/i

function errorClassOf({ message, stack }: TestFailure): string | null {
  const head = headOf(message)
  const named = classFirst.exec(head)?.[1] ?? classLater.exec(stripColours(stack ?? '').slice(0, 4_000))?.[1]
  if (named !== undefined) return named.slice(0, 200)
  if (/\bpanicked at\b|^panic:/.test(head)) return 'panic'
  return looksAsserted.test(head) ? 'AssertionError' : null
}

function withoutClass(head: string, errorClass: string | null): string {
  const first = classFirst.exec(head)
  return first?.[1] === errorClass && first ? head.slice(first[0].length).trim() : head
}

const timedOut = /\btime(?:d|s)? ?-?out\b|exceeded timeout|did not end within|deadline exceeded/i
const notLoaded =
  /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|failed to (?:resolve|load)|does not provide an export|ModuleNotFoundError|ImportError|collection failure|could not compile|build failed|NoClassDefFoundError/i

function kindOf(failure: TestFailure, errorClass: string | null): FailureKind {
  const head = headOf(failure.message)
  if (timedOut.test(head)) return 'timeout'
  // A file that failed as a whole is named after itself.
  if (failure.id === failure.file || notLoaded.test(head)) return 'load'
  if (errorClass === null) return looksAsserted.test(head) ? 'assertion' : 'unknown'
  if (/Assert|Expectation|ComparisonFailure|TestFail/i.test(errorClass)) return 'assertion'
  // Runners such as jest throw plain errors from their own matchers.
  return errorClass === 'Error' && /^(?:Error: )?expect\(/.test(head) ? 'assertion' : 'error'
}

/** FNV-1a with 64 bits: short, the same everywhere, and no secret. */
export function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
