// A few tests of a plain call of Maven or Gradle. Its words stay as they are; what names the tests is added.

import { join } from 'node:path'
import { readText } from '../project-files.ts'
import { fileOfClass } from '../reports/java-sources.ts'

interface WantedTests {
  readonly files: readonly string[]
  readonly names: readonly string[]
}

interface TestClass {
  readonly className: string
  /** Null for the whole class. */
  readonly method: string | null
}

export type JvmWords = { readonly is: 'words'; readonly words: readonly string[] } | JvmRefusal
interface JvmRefusal {
  readonly is: 'refused'
  readonly why: string
}

const refused = (why: string): JvmRefusal => ({ is: 'refused', why })

/** Why only some of the tests cannot be asked for; null if they can. */
export function mavenProblem(words: readonly string[]): string | null {
  const own = words.find((word) => /^-D(?:test|it\.test|skipTests|maven\.test\.skip)\b/.test(word))
  if (own !== undefined) return `${own} chooses tests by itself`
  const goals = goalsIn(words.slice(1), /^-(?:f|s|gs|t|P|pl|T|b|l|-file|-settings|-projects|-threads)$/)
  const other = goals.find((goal) => !/^(?:clean|test|surefire:test)$/.test(goal))
  if (other !== undefined) return `the goal ${other} is more than a test run`
  return goals.some((goal) => goal !== 'clean') ? null : 'there is no goal that runs tests'
}

export function mavenWords(words: readonly string[], cwd: string, wanted: WantedTests): JvmWords {
  const tests = testsIn(cwd, wanted)
  if (tests.length === 0) return refused('no tests were named')
  const byClass = new Map<string, (string | null)[]>()
  for (const { className, method } of tests)
    byClass.set(className, [...(byClass.get(className) ?? []), method])
  const chosen = [...byClass].map(([className, methods]) =>
    methods.includes(null) ? className : `${className}#${[...new Set(methods)].join('+')}`,
  )
  // Modules without such a test do not matter; the setting has had two names.
  const quiet = ['-DfailIfNoTests=false', '-Dsurefire.failIfNoSpecifiedTests=false']
  return { is: 'words', words: [...words, `-Dtest='${chosen.join(',')}'`, ...quiet] }
}

/** Why only some of the tests cannot be asked for; null if they can. */
export function gradleProblem(words: readonly string[]): string | null {
  const own = words.find((word) => /^(?:--tests|-t|--continuous|-m|--dry-run)$|^--tests=/.test(word))
  if (own !== undefined) return `${own} chooses tests or ways to run them by itself`
  const tasks = tasksIn(words)
  const other = tasks.find((task) => !/^(?:clean|cleanTest)$/.test(task) && !testTask.test(task))
  if (other !== undefined) return `the task ${other} is more than a test run`
  return tasks.filter((task) => testTask.test(task)).length === 1 ? null : 'not one task runs the tests'
}

const testTask = /^(?::?[\w-]+:)*:?test$/

function tasksIn(words: readonly string[]): string[] {
  const withValue = /^-(?:p|b|c|g|I|x|-project-dir|-init-script|-console|-max-workers|-exclude-task)$/
  return goalsIn(words.slice(1), withValue)
}

export function gradleWords(words: readonly string[], cwd: string, wanted: WantedTests): JvmWords {
  const task = tasksIn(words).find((each) => testTask.test(each)) ?? ''
  // A module in which no test has such a name would fail.
  const settings = ['settings.gradle', 'settings.gradle.kts'].map((name) => readText(join(cwd, name)) ?? '')
  if (!task.includes(':') && settings.some((text) => /^\s*include\b/m.test(text)))
    return refused('the project has modules, and the tests of one are not known to the others')
  const tests = testsIn(cwd, wanted)
  if (tests.length === 0) return refused('no tests were named')
  const names = tests.map(({ className, method }) => (method === null ? className : `${className}.${method}`))
  const options = [...new Set(names)].flatMap((name) => ['--tests', `'${name}'`])
  const at = words.lastIndexOf(task) + 1
  return { is: 'words', words: [...words.slice(0, at), ...options, ...words.slice(at)] }
}

/** The words that are neither options nor their values. */
function goalsIn(words: readonly string[], withValue: RegExp): string[] {
  return words.filter((word, at) => !word.startsWith('-') && !withValue.test(words[at - 1] ?? ''))
}

/** More than is asked for where a name is not plain: then the class, or all that begin like it. */
function testsIn(cwd: string, { files, names }: WantedTests): TestClass[] {
  const named = names.flatMap((id) => testOf(cwd, id) ?? [])
  if (named.length > 0 && named.length === names.length) return named
  if (names.length > 0) return []
  const classes = files.map((file) => /\/?src\/[^/]+\/\w+\/(.+)\.(?:java|kt|groovy|scala)$/.exec(file)?.[1])
  return classes.includes(undefined)
    ? []
    : classes.flatMap((path) => (path === undefined ? [] : (testOf(cwd, path.replaceAll('/', '.')) ?? [])))
}

function testOf(cwd: string, id: string): TestClass | null {
  const [className = '', name = ''] = id.split(' > ')
  if (!/^[A-Za-z_][\w.]*(?:\$[\w$]*)?$/.test(className)) return null
  // A class within another is found by the beginning of its name, whatever the version.
  if (className.includes('$')) return { className: `${className.split('$')[0]}*`, method: null }
  const method = /^[A-Za-z_]\w*(?=$|[([{])/.exec(name)?.[0]
  const file = fileOfClass(className, cwd)
  // What a report calls a test may be a title; only a method that stands in the file can be asked for.
  const stands =
    method !== undefined &&
    file !== null &&
    new RegExp(`\\b${method}\\s*\\(`).test(readText(join(cwd, file)) ?? '')
  return { className, method: stands ? (method ?? null) : null }
}
