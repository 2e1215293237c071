// Code that no test loads, neither itself nor through anything else.
import type { CodeFile } from '../code-file.ts'
import { computedLoads, leftOutWords } from '../computed-loads.ts'
import { isCode, isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const untestedFile: Survey = { category: 'testing', name: 'untested-file', look, kin }

/** Files that are checked otherwise, or not worth a test of their own. */
const LEFT_OUT =
  /(?:^|\/)(?:scripts?|bin|tools?|examples?|demos?|bench(?:marks?)?|docs?|\.[\w-]+)\/|(?:^|\/)[\w.-]+\.config\.[cm]?[jt]s$/
const FUNCTIONS_SHOWN = 10

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  const tests = testsIn(code)
  if (tests.length === 0) return { is: 'skipped', why: 'there are no tests in JavaScript or TypeScript' }
  const loaded = await ranByTests(project, tests)
  const mayLoad = (await computedLoads(project))([...loaded].flatMap((path) => code.get(path) ?? []))
  const unloaded = [...code.values()].filter(
    ({ path, exported }) => !loaded.has(path) && !isTest(path) && !LEFT_OUT.test(path) && exported.length > 0,
  )
  const untested = unloaded.filter(({ path }) => mayLoad(path) === null)
  return looked(
    untested
      .toSorted((a, b) => b.text.length - a.text.length)
      .map(({ path, exported, text }) => ({
        key: keyOf(path),
        title: `No test loads ${path}`,
        files: [path],
        evidence: `None of ${tests.length} test files imports it, neither itself nor through others. It exports ${exported.slice(0, FUNCTIONS_SHOWN).join(', ')}${exported.length > FUNCTIONS_SHOWN ? ', …' : ''}.`,
        estimateHours: Math.min(8, Math.max(1, Math.round(text.split('\n').length / 50))),
        mendable: false,
      })),
    leftOutWords(
      unloaded.map(({ path }) => path),
      mayLoad,
    ),
  )
}

const BROWSER =
  /^(?:@?playwright(?:-core)?(?:\/.*)?|puppeteer(?:-core)?|cypress|selenium-webdriver|webdriverio|@wdio\/.*)$/

/**
 * What tests load, and what they may start: a program is named with its ending, and where they have a browser, the
 * scripts of pages.
 */
async function ranByTests(project: Project, tests: readonly string[]): Promise<ReadonlySet<string>> {
  const code = await project.code()
  const byBase = Map.groupBy(code.keys(), baseOf)
  const named = (text: string) => [...text.matchAll(FILE_NAME)].flatMap(([name]) => byBase.get(name) ?? [])
  const ran = new Set(tests)
  const runOn = () => {
    // A set that grows while it is gone through is gone through to its new end.
    for (const path of ran) {
      const { imports = [], text = '' } = code.get(path) ?? {}
      for (const { to } of imports) if (to.is === 'file') ran.add(to.path)
      for (const other of named(text)) ran.add(other)
    }
  }
  runOn()
  if (![...ran].some((path) => hasBrowser(code.get(path)))) return ran
  for (const path of await project.files())
    if (/\.html?$/.test(path)) for (const script of named((await project.read(path)) ?? '')) ran.add(script)
  runOn()
  return ran
}

function hasBrowser(file: CodeFile | undefined): boolean {
  return file?.imports.some(({ to }) => to.is === 'package' && BROWSER.test(to.name)) ?? false
}

const FILE_NAME = /[\w.-]+\.[cm]?[jt]sx?(?![\w-])/g
const baseOf = (path: string): string => path.replace(/^.*\//, '')

/** Every file of code that no test loads, whatever it is called and whether it exports anything. */
async function kin(project: Project): Promise<readonly string[]> {
  const code = await project.code()
  const loaded = loadedBy(testsIn(code), code)
  return (await project.everything())
    .filter((path) => isCode(path) && !loaded.has(path))
    .map((path) => keyOf(path))
}

const keyOf = (path: string): string => `untested-file:${path}`

function testsIn(code: ReadonlyMap<string, CodeFile>): string[] {
  return [...code.keys()].filter(
    (path) => isTest(path) && !/[._-](?:bench|stories)\.|(?:^|\/)(?:__mocks__|mocks?|testing)\//.test(path),
  )
}

function loadedBy(tests: readonly string[], code: ReadonlyMap<string, CodeFile>): ReadonlySet<string> {
  const loaded = new Set(tests)
  for (const path of loaded)
    for (const { to } of code.get(path)?.imports ?? []) if (to.is === 'file') loaded.add(to.path)
  return loaded
}
