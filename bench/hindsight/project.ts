// A scratch project with one file for each snippet, and the way each kind of snippet is run in it.
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { depthOf, filled, type Kind, type Runner, type Variant } from './kind.ts'

const root = path.resolve(import.meta.dirname, '../..')
const minute = 60_000

export interface Project {
  readonly folder: string
  readonly variant: Variant
}

/** What each kind printed, by its id. */
export type Texts = Map<string, string>

interface Placed {
  readonly kind: Kind
  /** Relative to the project. */
  readonly file: string
}

export async function openProject(folder: string, variant: Variant): Promise<Project> {
  await mkdir(path.join(folder, 'test'), { recursive: true })
  await mkdir(path.join(folder, 'work'), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  return { folder, variant }
}

export const runners: Readonly<Record<Runner, (project: Project, kinds: readonly Kind[]) => Promise<Texts>>> =
  { node: runNode, shell: runShell, tsc: runTsc, biome: runBiome, vitest: runVitest }

/** Names are drawn, so two kinds may want one file: the second gets a number. */
async function place(
  { folder, variant }: Project,
  kinds: readonly Kind[],
  wanted: { readonly top: string; readonly ext: string; readonly code: (kind: Kind) => string },
): Promise<Placed[]> {
  const taken = new Set<string>()
  const placed: Placed[] = []
  for (const kind of kinds) {
    const stem = filled('%dir%/%file%', kind.id, variant)
    let file = `${wanted.top}/${stem}${wanted.ext}`
    for (let count = 2; taken.has(file); count += 1) file = `${wanted.top}/${stem}-${count}${wanted.ext}`
    taken.add(file)
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
    await writeFile(path.join(folder, file), filled(wanted.code(kind), kind.id, variant))
    placed.push({ kind, file })
  }
  return placed
}

const driver = `import { readFileSync, writeFileSync } from 'node:fs'
process.on('uncaughtException', () => undefined)
const work = process.cwd()
setInterval(() => undefined, 1_000)
const texts = {}
function said(error, depth = 0) {
  const head = error.name + ': ' + error.message
  const stack = String(error.stack ?? '')
  const text = stack.includes(error.message) ? stack : head + '\\n' + stack
  const code = error.code === undefined ? '' : '\\n\\nSerialized Error: { code: ' + JSON.stringify(error.code) + ' }'
  const cause = error.cause instanceof Error && depth < 3 ? '\\n\\nCaused by: ' + said(error.cause, depth + 1) : ''
  return text + code + cause
}
const late = () => new Promise((_, no) => setTimeout(() => no(new Error('snippet hangs')), 10_000).unref())
for (const [id, file, fn] of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  try {
    const snippet = await import(file)
    await Promise.race([snippet[fn](), late()])
  } catch (error) {
    texts[id] = said(error)
  }
  process.chdir(work)
}
writeFileSync(process.argv[3], JSON.stringify(texts))
process.exit(0)
`

/** All in one process; the text is laid out as test runners do it. */
async function runNode(project: Project, kinds: readonly Kind[]): Promise<Texts> {
  const { folder, variant } = project
  const code = (kind: Kind) => moduleOf(kind, variant)
  const placed = await place(project, kinds, { top: 'src', ext: '.mjs', code })
  const list = placed.map(({ kind, file }) => [kind.id, `../${file}`, filled('%fn%', kind.id, variant)])
  await writeFile(path.join(folder, 'test/all.test.mjs'), driver)
  await writeFile(path.join(folder, 'list.json'), JSON.stringify(list))
  // Packages are seen inside of the project, as after an install of its own.
  const flags = ['--no-warnings', '--preserve-symlinks', '--preserve-symlinks-main']
  const args = ['../test/all.test.mjs', '../list.json', '../texts.json']
  await run(path.join(folder, 'work'), process.execPath, [...flags, ...args])
  return readTexts(path.join(folder, 'texts.json'))
}

/** The slip, below as many calls as were drawn. */
function moduleOf({ id, before, snippet }: Kind, variant: Variant): string {
  const calls = Array.from(
    { length: depthOf(id, variant) },
    (_, at) => `${at === 0 ? '%fn%' : `%verb%At${at}`}`,
  )
  const inner = calls.length === 0 ? '%fn%' : '%verb%Inner'
  const chain = calls.map((name, at) => {
    const next = calls[at + 1] ?? inner
    return `${at === 0 ? 'export ' : ''}async function ${name}() {\n  return await ${next}()\n}\n`
  })
  const slip = `${inner === '%fn%' ? 'export ' : ''}async function ${inner}() {\n  ${snippet}\n}\n`
  return [before, ...chain, slip].join('\n')
}

async function readTexts(file: string): Promise<Texts> {
  const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
  return new Map(Object.entries(texts))
}

/** Each in a folder of its own, in plain English, and blind to settings of the machine's user. */
async function runShell({ folder, variant }: Project, kinds: readonly Kind[]): Promise<Texts> {
  const plain = ['LC_ALL=C', 'GIT_CONFIG_GLOBAL=/dev/null', 'GIT_CONFIG_NOSYSTEM=1', 'GIT_EDITOR=true']
  const texts: Texts = new Map()
  const there = new Map<string, boolean>()
  for (const [at, { id, before, snippet }] of kinds.entries()) {
    if (!there.has(before))
      there.set(before, (await run(folder, 'sh', ['-c', `command -v ${before}`])) !== '')
    if (there.get(before) !== true) continue
    const cwd = path.join(folder, 'work', filled(`%dir%-${at}`, id, variant))
    await mkdir(cwd, { recursive: true })
    const script = `exec 2>&1\n${filled(snippet, id, variant)}`
    const ceiling = `GIT_CEILING_DIRECTORIES=${path.dirname(cwd)}`
    texts.set(id, await run(cwd, 'env', [...plain, ceiling, 'sh', '-c', script]))
  }
  return texts
}

async function runTsc(project: Project, kinds: readonly Kind[]): Promise<Texts> {
  const placed = await place(project, kinds, { top: 'ts', ext: '.ts', code: ({ snippet }) => snippet })
  const texts = await compiled(project, placed)
  // One file that cannot be parsed keeps the compiler from checking the others.
  const syntax = placed.filter(({ kind }) => texts.has(kind.id))
  const rest = placed.filter(({ kind }) => !texts.has(kind.id))
  return syntax.length > 0 && rest.length > 0
    ? new Map([...texts, ...(await compiled(project, rest))])
    : texts
}

async function compiled({ folder }: Project, placed: readonly Placed[]): Promise<Texts> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    types: ['node'],
    skipLibCheck: true,
  }
  const config = JSON.stringify({ compilerOptions, files: placed.map(({ file }) => file) })
  await writeFile(path.join(folder, 'tsconfig.json'), config)
  const printed = await run(folder, path.join(root, 'node_modules/.bin/tsc'), [
    '-p',
    '.',
    '--pretty',
    'false',
  ])
  return byFile(printed.split(/\n(?=\S)/), placed)
}

async function runBiome(project: Project, kinds: readonly Kind[]): Promise<Texts> {
  const { folder } = project
  const placed = await place(project, kinds, {
    top: 'lint',
    ext: '.ts',
    code: ({ snippet }) => `${snippet}\n`,
  })
  await writeFile(path.join(folder, 'biome.json'), '{ "root": true }\n')
  const args = ['lint', '--max-diagnostics=none', '--colors=off', '--error-on-warnings', 'lint']
  const printed = await run(folder, path.join(root, 'node_modules/.bin/biome'), args)
  return byFile(printed.split(/\n(?=lint\/\S+:\d+:\d+ )/), placed)
}

/** The first thing that is said about each file. */
function byFile(texts: readonly string[], placed: readonly Placed[]): Texts {
  const found: Texts = new Map()
  for (const { kind, file } of placed) {
    const text = texts.find((each) => each.startsWith(`${file}(`) || each.startsWith(`${file}:`))
    if (text !== undefined) found.set(kind.id, text)
  }
  return found
}

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly failureMessages: string[] }[]
  }[]
}

async function runVitest({ folder, variant }: Project, kinds: readonly Kind[]): Promise<Texts> {
  const tests = kinds.map(
    ({ id, snippet }) =>
      `test(${JSON.stringify(id)}, async () => {\n  ${filled(snippet, id, variant)}\n}, 100)\n`,
  )
  const file = filled('checks/%noun%.test.mjs', 'vitest', variant)
  await mkdir(path.join(folder, 'checks'))
  await writeFile(path.join(folder, file), `import { expect, test, vi } from 'vitest'\n\n${tests.join('\n')}`)
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  await run(folder, process.execPath, [
    vitest,
    'run',
    '--root',
    '.',
    '--reporter=json',
    '--outputFile=v.json',
    file,
  ])
  const report: VitestReport = JSON.parse(await readFile(path.join(folder, 'v.json'), 'utf8'))
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return new Map(
    results.flatMap(({ title, failureMessages: [text] }) => (text === undefined ? [] : [[title, text]])),
  )
}

/** Whatever it printed: these commands are meant to fail. */
function run(cwd: string, program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: 10 * minute, maxBuffer: 64 * 1_024 * 1_024 }
    const child = execFile(program, args, options, (_, stdout, stderr) => {
      resolve(`${stdout}${stderr}`.trim())
    })
    child.stdin?.end()
  })
}
