// Code in other languages that decides about tests without being one: hooks of the runner, and assertions disarmed.
// Line by line, so only what is plain to see: not what is computed, imported under another name, or an object that
// equals everything. For those there are the check by mutations and whoever reviews the change.
import { posix } from 'node:path'
import { type Finding, shown } from './finding.ts'

interface Rule {
  readonly files: RegExp
  /** Where such a line is what the file is for; with the whole text. */
  readonly unless?: (path: string, text: string) => boolean
  /** In a file of its own it reaches no other test. */
  readonly old?: true
  readonly line: RegExp
  readonly what: string
}

const hooked = 'it changes what the test runner does'
const disarmed = 'it can make failing tests pass'
const ended = 'it can end the run before a test fails'
const isEntry = (path: string): boolean =>
  /(^|\/)(bin|cmd|cli)\/|(^|\/)(main|cli|__main__)\./i.test(lastOf(path))
const lastOf = (path: string): string => path.split('/').slice(-2).join('/')

const python: readonly Omit<Rule, 'files'>[] = [
  {
    line: /^\s*(?:async\s+)?def\s+pytest_\w+|^\s*pytest_plugins\s*=|^\s*collect_ignore(?:_glob)?\b|@(?:pytest\.)?hookimpl|\bhookwrapper\s*=/,
    what: hooked,
  },
  { line: /\b_pytest\b|\bpytest\.exit\(/, what: hooked },
  {
    line: /\bTestCase\.\w+\s*=(?!=)|setattr\(\s*(?:unittest\.(?:case\.)?)?TestCase\b|\bbuiltins\.\w+\s*=(?!=)|setattr\(\s*(?:builtins|__builtins__)\b|__builtins__\b.*=(?!=)|sys\.modules\[[^\]]*\]\s*=(?!=)|sys\.modules\.(?:update|setdefault|pop)\(/,
    what: disarmed,
  },
  { line: /\bos\._exit\(|^(?:sys\.)?exit\(\s*0?\s*\)|^quit\(\s*0?\s*\)|^raise\s+SystemExit\b/, what: ended },
]

const rules: readonly Rule[] = [
  ...python.map((rule) => ({ ...rule, files: /\.pyi?$/ })),
  {
    files: /(^|\/)conftest\.py$/,
    line: /\b(?:skip|skipif|xfail|SkipTest|usefixtures)\b|autouse\s*=\s*True|\bexitstatus\b|\.add_marker\(|\.(?:outcome|wasxfail)\s*=/,
    what: hooked,
  },
  { files: /(^|\/)(?:site|user)customize\.py$|\.pth$/, line: /\S/, what: hooked },
  { files: /_test\.go$/, line: /^func\s+TestMain\s*\(/, what: hooked },
  { files: /_test\.go$/, old: true, line: /^\/\/go:build\b|^\/\/ \+build\b/, what: hooked },
  {
    files: /\.go$/,
    unless: (_, text) => /^package\s+main\b/m.test(text),
    line: /\bos\.Exit\(\s*0\s*\)|\bsyscall\.Exit\(\s*0\s*\)/,
    what: ended,
  },
  { files: /\.go$/, line: /\bflag\.Set\(\s*"test\./, what: hooked },
  { files: /\.rs$/, line: /\bmacro_rules!\s*(?:debug_)?(?:assert|panic)\w*/, what: disarmed },
  {
    files: /\.rs$/,
    unless: isEntry,
    line: /\bprocess::(?:exit\(\s*0\s*\)|abort\()/,
    what: ended,
  },
  {
    files: /\.(?:java|kt|groovy|scala)$/,
    line: /(?:\bimplements|:)\s.*\b(?:TestWatcher|InvocationInterceptor|TestExecutionExceptionHandler|LifecycleMethodExecutionExceptionHandler|ExecutionCondition|TestExecutionListener|PostDiscoveryFilter|IInvokedMethodListener|ITestListener|IAnnotationTransformer|IHookable|IRetryAnalyzer|TestRule|MethodRule)\b/,
    what: hooked,
  },
  {
    files: /\.(?:java|kt|groovy|scala)$/,
    old: true,
    line: /@(?:ExtendWith|RegisterExtension|Listeners|RunWith|Rule|ClassRule)\b/,
    what: hooked,
  },
  {
    files: /\.(?:java|kt|groovy|scala)$/,
    line: /^\s*package\s+(?:org\.(?:junit|testng|assertj|hamcrest|opentest4j)|junit)\b/,
    what: disarmed,
  },
  {
    files: /\.(?:java|kt|groovy|scala)$/,
    unless: (_, text) => /\bvoid\s+main\s*\(|\bfun\s+main\s*\(/.test(text),
    line: /\bSystem\.exit\(\s*0\s*\)|\bhalt\(\s*0\s*\)|\bexitProcess\(\s*0\s*\)/,
    what: ended,
  },
  {
    files: /META-INF\/services\/(?:org\.junit|org\.testng)|(^|\/)junit-platform\.properties$/,
    line: /\S/,
    what: hooked,
  },
  {
    files: /(^|\/)tests?\/.*\.php$/i,
    line: /\bimplements\s.*\b(?:TestListener|\w*TestHook|Extension|\w*Subscriber)\b|function\s+(?:onNotSuccessfulTest|runBare|runTest|invokeTestMethod)\b/,
    what: hooked,
  },
  { files: /\.php$/, line: /^\s*namespace\s+PHPUnit\b/, what: disarmed },
  { files: /\.php$/, line: /^(?:exit|die)\b|register_shutdown_function\(.*\bexit\b/, what: ended },
  {
    files: /\.rb$/,
    line: /\bfilter_run_excluding\b|\bfilter_run\b|\b(?:config|c)\.around\b|\bMinitest\.(?:after_run|extensions|reporter)\b|\bset_exception\b/,
    what: hooked,
  },
  {
    files: /\.rb$/,
    line: /\b(?:Minitest|Test::Unit)::(?:Assertions|Test|TestCase)\.(?:class_eval|send|define_method|prepend|include)|^\s*(?:module|class)\s+(?:Minitest|RSpec|Test::Unit)\b|\bRSpec::(?:Expectations|Matchers)\b.*\b(?:class_eval|prepend|define_method)\b/,
    what: disarmed,
  },
  { files: /\.rb$/, line: /\bat_exit\b.*\bexit|\bexit!|^exit\b/, what: ended },
]

/** Files that could hold such lines. */
export function mayDisarm(path: string): boolean {
  return rules.some(({ files }) => files.test(path))
}

const lineCharsMax = 2_000

/** Only what the change brought in, whether the file is new or not. */
export function newDisarms(path: string, before: string | null, after: string | null): Finding[] {
  if (after === null || before === after || !mayDisarm(path)) return []
  const known = (before ?? '').split(/\r?\n/).map((line) => line.trim())
  const counts = new Map<string, number>()
  for (const line of known) counts.set(line, (counts.get(line) ?? 0) + 1)
  const own = rules.filter(
    ({ files, unless, old }) => files.test(path) && !unless?.(path, after) && (before !== null || !old),
  )
  return after.split(/\r?\n/).flatMap((line, index): Finding[] => {
    const plain = line.trim()
    const left = counts.get(plain) ?? 0
    counts.set(plain, left - 1)
    const isComment = /^(?:#(?!\[)|\/\/(?!go:build| \+build)|\*|\/\*)/.test(plain)
    if (left > 0 || isComment || line.length > lineCharsMax) return []
    const rule = own.find((each) => each.line.test(line))
    if (rule === undefined) return []
    return [{ file: path, line: index + 1, what: `\`${shown(line)}\` was added: ${rule.what}`, blocks: true }]
  })
}

/** What every test of a folder runs through; a change to it is worth a look. */
export function changedHooks(path: string, before: string | null, after: string | null): Finding[] {
  const shared = /^(?:conftest\.py|(?:spec|rails|test)_helper\.rb|bootstrap\.php)$/.test(posix.basename(path))
  if (!shared || before === null || before === after) return []
  const what = after === null ? 'it sets tests up, and was removed' : 'it sets tests up, and was changed'
  return [{ file: path, line: null, what, blocks: false }]
}
