// Asks the test runner for a machine-readable report beside its normal output, where that needs no change to the
// project: the command, or the npm script behind it, must plainly be one call of a runner that we know.
import { dirname, join } from 'node:path'
import { readManifest } from './project-files.ts'

/** The command with arguments for a report in `file`, or null if it is better left alone. */
export function askForReport(command: string, cwd: string, file: string): string | null {
  const script = scriptOf(command, cwd)
  if (script === null) return withReport(command, file)?.whole ?? null
  const changed = withReport(script.body, file)
  if (changed === null) return null
  // npm wants `--` before what is meant for the script; the others hand on everything, and `--` as well.
  if (changed.appended !== null) return `${command} ${script.tool === 'npm' ? '-- ' : ''}${changed.appended}`
  if (script.hasHooks) return null
  return `PATH=${quote(binFolders(cwd).join(':'))}:"$PATH" ${changed.whole}`
}

interface Script {
  readonly tool: string
  readonly body: string
  /** Scripts of the same name with pre or post run around it. */
  readonly hasHooks: boolean
}

function scriptOf(command: string, cwd: string): Script | null {
  const call = /^(npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?([\w:.-]+)$/.exec(command.trim())
  const [, tool, given] = call ?? []
  if (tool === undefined || given === undefined) return null
  const name = given === 't' || given === 'tst' ? 'test' : given
  const scripts = readManifest(cwd)?.scripts ?? {}
  const body = scripts[name]
  return body === undefined
    ? null
    : { tool, body, hasHooks: `pre${name}` in scripts || `post${name}` in scripts }
}

interface Asked {
  readonly whole: string
  /** What was added, if it stands at the end. */
  readonly appended: string | null
}

// Anything that a shell would treat specially: then it is not plainly one call.
const special = /[&|;<>()$`\\"'\n#*?[\]{}!~]/

function withReport(command: string, file: string): Asked | null {
  // Quotes and patterns are common in `node --test 'test/**'`; they stay as they are.
  if (special.test(command.replace(/(["'])[^"'$`\\]*\1/g, '').replace(/[*?[\]{}!~]/g, ''))) return null
  const call =
    /^((?:\w+=[\w./:-]*\s+)*(?:npx\s+(?:--no-install\s+|--no\s+|-y\s+|--yes\s+)?)?)(\S+)(.*)$/.exec(
      command.trim(),
    )
  const [, before = '', runner, rest = ''] = call ?? []
  switch (runner) {
    case 'vitest':
      return vitestWithReport(before, rest, file)
    case 'jest':
      return jestWithReport(before, rest, file)
    case 'node':
      return nodeWithReport(before, rest, file)
    default:
      return null
  }
}

function vitestWithReport(before: string, rest: string, file: string): Asked | null {
  const mode = rest.trim().split(/\s+/)[0] ?? ''
  const once = mode === '' || mode === 'run' || mode.startsWith('-')
  if (!once || /--(reporter|outputFile|watch|ui|standalone)\b|\s-w\b|\s--\s/.test(rest)) return null
  const appended = `--reporter=default --reporter=json --outputFile.json=${quote(file)}`
  return { whole: `${before}vitest${rest} ${appended}`, appended }
}

function jestWithReport(before: string, rest: string, file: string): Asked | null {
  if (/--(json|outputFile|reporters|watch|watchAll)\b|\s--\s/.test(rest)) return null
  const appended = `--json --outputFile=${quote(file)}`
  return { whole: `${before}jest${rest} ${appended}`, appended }
}

function nodeWithReport(before: string, rest: string, file: string): Asked | null {
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
  if (onlyOptions) return { whole: `${before}node${rest} ${options}`, appended: options }
  return { whole: `${before}node ${options}${rest}`, appended: null }
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
