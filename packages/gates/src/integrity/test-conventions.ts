// What a file is to the tests, by its name.
import { posix } from 'node:path'

const script = '[cm]?[jt]sx?'
const conventions: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['*.test.*', new RegExp(`\\.test\\.${script}$`)],
  ['*.spec.*', new RegExp(`\\.spec\\.${script}$`)],
  ['*.e2e.*', new RegExp(`[.-](e2e|cy|e2e-spec)\\.${script}$`)],
  ['*_test.*', new RegExp(`[_-](test|spec)\\.${script}$`)],
  ['test-*', new RegExp(`(^|/)test([-_.][^/]*)?\\.${script}$`)],
  ['__tests__/', new RegExp(`(^|/)__tests__/.*\\.${script}$`)],
  ['test/', new RegExp(`(^|/)(tests?|specs?|e2e)/.*\\.${script}$`)],
  ['test*.py', /(^|\/)tests?[^/]*\.py$/],
  ['*_test.py', /_test\.py$/],
  ['*_test.go', /_test\.go$/],
  ['*.rs', /\.rs$/],
  ['*Test.java', /(^|\/)(Test\w*|\w*(Tests?|IT|TestCase|Spec))\.(java|kt|groovy|scala)$/],
  ['*_spec.rb', /(_spec|_test)\.rb$|(^|\/)test_[^/]*\.rb$/],
  ['*Test.php', /Test\.php$/],
  ['*Tests.cs', /Tests?\.(cs|swift|fs)$/],
  ['*_test.exs', /_test\.exs?$/],
]
const elsewhere = /(^|\/)(node_modules|dist|vendor|fixtures?|__fixtures__|__mocks__|testdata)\//

/** The conventions by which a runner finds the file; none: it is no test. */
export function conventionsOf(path: string): string[] {
  if (elsewhere.test(path)) return []
  return conventions.filter(([, pattern]) => pattern.test(path)).map(([name]) => name)
}

export function isScript(path: string): boolean {
  return new RegExp(`\\.${script}$`).test(path) && !path.endsWith('.d.ts')
}

/** Code that tests share: helpers, set-up files, custom assertions. */
export function isTestSupport(path: string): boolean {
  if (!isScript(path)) return false
  const inTests = /(^|\/)(tests?|specs?|e2e|__tests__|testing|test-utils?|support)\//.test(path)
  return inTests || /(setup|test-?(helpers?|utils?|kit))[^/]*$/i.test(posix.basename(path))
}

/** The same in other languages. */
export function isTextSupport(path: string): boolean {
  if (elsewhere.test(path)) return false
  return (
    /(^|\/)(tests?|specs?)\/.*\.(py|go|java|kt|groovy|scala|rb|php|cs|exs?)$/.test(path) ||
    /(^|\/)conftest\.py$/.test(path)
  )
}

export function isSnapshot(path: string): boolean {
  return (
    /\.(snap|ambr|golden|storyshot)$|\.approved\.[^/]+$/.test(path) ||
    /(^|\/)(__snapshots__|__image_snapshots__|[^/]+-snapshots)\//.test(path)
  )
}
