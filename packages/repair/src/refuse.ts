// Failures that the search cannot mend, told from themselves.
import type { Project } from './project/load.ts'
import type { Failure } from './run/protocol.ts'

interface FailureText {
  readonly name: string
  readonly message: string
}

/** As Node says it; what begins with a dot or a slash is a file of the project. */
const MISSING_PACKAGE =
  /^(Error: )?Cannot find (module|package) '[^./'][^']*'|^(Error: )?require\(\) of ES Module \S*node_modules/

const REASONS: readonly { readonly is: (seen: FailureText) => boolean; readonly reason: string }[] = [
  {
    is: ({ message }) => /snapshot/i.test(message),
    reason: 'The failing test compares a snapshot: whether the new one is right is for a person to say.',
  },
  {
    is: ({ name, message }) =>
      /ECONNREFUSED|ENOTFOUND|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|fetch failed|socket hang up/.test(
        message,
      ) ||
      (name === 'Denied' && /network/.test(message)),
    reason: 'The failing test needs the network: a network error is not mended by an edit.',
  },
  {
    is: ({ message }) => MISSING_PACKAGE.test(message),
    reason:
      'The failing tests ask for a package that is not installed, or not in a version that they can load: no edit mends that.',
  },
  {
    is: ({ name, message }) =>
      name === 'Hung' || /timed out|time-?out (of|in) |exceeded timeout|Test timed out/i.test(message),
    reason: 'The failing test ran into a time-out: the search cannot tell slow from broken.',
  },
]

export const NO_FAILING_TEST =
  'There is no failing test. I can only repair: add a failing test or connect a coding agent.'

/** The reason if every failure is of a kind that cannot be mended, else null. */
export function refusalOf(failures: readonly Pick<Failure, 'name' | 'message'>[]): string | null {
  if (failures.length === 0) return NO_FAILING_TEST
  const reasons = failures.map((seen) => REASONS.find((found) => found.is(seen))?.reason ?? null)
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null
}

/** Why no test can be run fast. */
export function nothingToRun(project: Project): string {
  const [first] = project.left
  if (first !== undefined) return `The tests cannot be run fast: ${first.why}.`
  return 'No test in JavaScript or TypeScript was found; other languages are not supported.'
}
