// Asks the test runner for a machine-readable report beside its normal output, where that needs no change to the
// project: the command, or the npm script behind it, must plainly be one call of a runner that we know.
//
// Left alone: tape, which prints TAP anyway; cargo, whose JSON needs a nightly compiler; and ava, whose TAP would stand
// in the place of its output and tells less: it names no test file, has no line for an assertion that failed, and of a
// stack only the innermost call, which is mostly one of ava's own (fixtures/ava has both). What they print is read as
// it is. Maven and Gradle write files of their own (written-reports.ts) and are only asked to write them whole.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mochaConfigs } from './detect-commands.ts'
import { scriptCalled } from './package-scripts.ts'
import { readManifest, readText } from './project-files.ts'

/** The command with arguments for a report in `file`, or null if it is better left alone. */
export function askForReport(command: string, cwd: string, file: string): string | null {
  const called = scriptCalled(command, cwd)
  const script = called?.given === '' ? called : null
  const changed = withReport(script?.body ?? command, cwd, file)
  if (changed === null) return null
  const env = changed.env ? `${changed.env} ` : ''
  if (script === null) return `${env}${changed.whole}`
  // npm wants `--` before what is meant for the script; the others hand on everything, and `--` as well.
  if (changed.appended !== null)
    return `${env}${command} ${script.tool === 'npm' ? '-- ' : ''}${changed.appended}`
  if (script.hasHooks) return null
  return `${env}PATH=${quote(binFolders(cwd).join(':'))}:"$PATH" ${changed.whole}`
}

interface ReportingCommand {
  readonly whole: string
  /** What was added, if it stands at the end. */
  readonly appended: string | null
  /** An assignment to stand before the command. */
  readonly env?: string
}

interface Call {
  /** Assignments and npx, with the space after them. */
  readonly before: string
  readonly runner: string
  /** What comes after the runner, with the space before it. */
  readonly rest: string
  readonly cwd: string
  readonly file: string
}

// Anything that a shell would treat specially: then it is not plainly one call.
const special = /[&|;<>()$`\\"'\n#*?[\]{}!~]/

function withReport(command: string, cwd: string, file: string): ReportingCommand | null {
  // Quotes and patterns are common in `node --test 'test/**'`; they stay as they are.
  const bare = command.replace(/'[^']*'|"[^"$`\\]*"/g, '').replace(/[*?[\]{}!~]/g, '')
  if (special.test(bare)) return null
  const parts =
    /^((?:\w+=[\w./:-]*\s+)*(?:npx\s+(?:--no-install\s+|--no\s+|-y\s+|--yes\s+)?)?)((?:(?:uv|poetry) run |python3? -m )?pytest|(?:(?:\.\/)?vendor\/bin\/)?phpunit|\S+)(.*)$/.exec(
      command.trim(),
    )
  const [, before = '', runner = '', rest = ''] = parts ?? []
  // What comes after two dashes is no option any more.
  if (/\s--(\s|$)/.test(rest)) return null
  return runners[runner.split(/[ /]/).at(-1) ?? '']?.({ before, runner, rest, cwd, file }) ?? null
}

const runners: Readonly<Record<string, (call: Call) => ReportingCommand | null>> = {
  vitest: vitestWithReport,
  jest: jestWithReport,
  mocha: mochaWithReport,
  node: nodeWithReport,
  playwright: playwrightWithReport,
  pytest: pytestWithReport,
  phpunit: phpunitWithReport,
  go: goWithReport,
  mvn: mavenWithReport,
  mvnw: mavenWithReport,
  gradle: gradleWithReport,
  gradlew: gradleWithReport,
}

const append = ({ before, runner, rest }: Call, appended: string): ReportingCommand => ({
  whole: `${before}${runner}${rest} ${appended}`,
  appended,
})

function vitestWithReport(call: Call): ReportingCommand | null {
  const mode = call.rest.trim().split(/\s+/)[0] ?? ''
  const once = mode === '' || mode === 'run' || mode.startsWith('-')
  if (!once || /--(reporter|outputFile|watch|ui|standalone)\b|\s-w\b/.test(call.rest)) return null
  return append(call, `--reporter=default --reporter=json --outputFile.json=${quote(call.file)}`)
}

function jestWithReport(call: Call): ReportingCommand | null {
  if (/--(json|outputFile|reporters|watch|watchAll)\b/.test(call.rest)) return null
  return append(call, `--json --outputFile=${quote(call.file)}`)
}

const mochaReporter = fileURLToPath(new URL('./mocha-reporter.cjs', import.meta.url))

/** Mocha has one reporter only, so it gets one that does both; the project's own choice is left alone. */
function mochaWithReport(call: Call): ReportingCommand | null {
  const { rest, cwd, file } = call
  if (/--(reporter|watch|parallel|config|opts)\b|\s-[Rwp]\b/.test(rest)) return null
  const configs = [JSON.stringify(readManifest(cwd)?.mocha ?? null)]
  for (const name of mochaConfigs) configs.push(readText(join(cwd, name)) ?? '')
  if (configs.some((text) => /reporter|parallel/.test(text))) return null
  // A comma would begin another option.
  if (file.includes(',') || !existsSync(mochaReporter)) return null
  return append(call, `--reporter ${quote(mochaReporter)} -O ${quote(`file=${file}`)}`)
}

function nodeWithReport(call: Call): ReportingCommand | null {
  const { before, rest, file } = call
  const words = rest.trim().split(/\s+/)
  if (!words.includes('--test') || /--test-reporter|--watch\b/.test(rest)) return null
  const options = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${quote(file)}`,
  ].join(' ')
  // Node takes options only before the first file.
  const onlyOptions = words.every((word) => /^--[\w-]+(=\S*)?$/.test(word))
  if (onlyOptions) return append(call, options)
  return { whole: `${before}node ${options}${rest}`, appended: null }
}

function playwrightWithReport(call: Call): ReportingCommand | null {
  if (!/^\s+test\b/.test(call.rest) || /--(reporter|ui|debug|list)\b/.test(call.rest)) return null
  const env = `PLAYWRIGHT_JSON_OUTPUT_NAME=${quote(call.file)}`
  return { ...append(call, '--reporter=list,json'), env }
}

function pytestWithReport(call: Call): ReportingCommand | null {
  if (/--junit-?xml|junit_|--(pdb|collect-only|co)\b/.test(call.rest)) return null
  // The older family names the file, and only what failed tests printed is worth its place.
  const options = ['junit_family=xunit1', 'junit_logging=all', 'junit_log_passing_tests=false']
  return append(call, `--junitxml=${quote(call.file)} ${options.map((each) => `-o ${each}`).join(' ')}`)
}

function phpunitWithReport(call: Call): ReportingCommand | null {
  return /--log-/.test(call.rest) ? null : append(call, `--log-junit ${quote(call.file)}`)
}

const goOutput = fileURLToPath(new URL('./go-output.ts', import.meta.url))

/** Go prints either events or text, so the text is made from the events again. */
function goWithReport({ before, rest, file }: Call): ReportingCommand | null {
  if (!/^\s+test\b/.test(rest) || /\s--?(json|c|exec|list|n|toolexec)\b/.test(rest)) return null
  if (!existsSync(goOutput)) return null
  const words = [process.execPath, goOutput, file].map(quote).join(' ')
  return { whole: `${before}${words} go${rest}`, appended: null }
}

const mavenGoal =
  /\s(?:test|package|verify|install|deploy|integration-test|surefire:test|failsafe:\S+)(?=\s|$)/

/** Otherwise surefire leaves out of a stack all that was called from the test, and so the place of the fault. */
function mavenWithReport(call: Call): ReportingCommand | null {
  if (!mavenGoal.test(call.rest) || /-DtrimStackTrace\b/.test(call.rest)) return null
  return append(call, '-DtrimStackTrace=false')
}

const gradleTask = /\s:?(?:[\w-]+:)*(?:check|build|\w*[tT]est\w*)(?=\s|$)/

/** A task that is up to date writes no report, and one that failed would keep other modules from being tested. */
function gradleWithReport({ before, runner, rest }: Call): ReportingCommand | null {
  if (!gradleTask.test(rest) || /\s(?:-t|--continuous|-m|--dry-run)(?=\s|$)/.test(rest)) return null
  const has = (option: RegExp): boolean => option.test(rest)
  const tasks = has(/\scleanTest(?=\s|$)/) ? rest : rest.replace(/\stest(?=\s|$)/, ' cleanTest test')
  const options = [
    ...(has(/\s--(?:no-)?daemon(?=\s|$)/) ? [] : ['--no-daemon']),
    ...(has(/\s--(?:no-)?continue(?=\s|$)|\s--fail-fast(?=\s|$)/) ? [] : ['--continue']),
  ]
  const whole = [`${before}${runner}${tasks}`, ...options].join(' ')
  return { whole, appended: tasks === rest && options.length > 0 ? options.join(' ') : null }
}

function binFolders(cwd: string): string[] {
  const folders: string[] = []
  for (let at = cwd; ; at = dirname(at)) {
    folders.push(join(at, 'node_modules', '.bin'))
    if (dirname(at) === at) return folders
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
