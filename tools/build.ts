// Builds what cannot run from source: the daemon (decorators) and the dashboard. `--if-stale` skips what is current.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleOf, bundleWords, isTooBig } from './bundle.ts'

type Part = { name: string; needs: string[]; sources: string[]; build: (into: string) => Promise<void> }

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = join(root, '.cache/build')
const shared = [
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'tools/build.ts',
  'tools/bundle.ts',
  'packages/*/package.json',
]

// These load files that lie beside them (wasm, data, static pages), or are optional and absent.
const external = [/^@electric-sql\/pglite/, 'pg-native', '@fastify/static', /^swagger-ui-dist/]

const daemonEntries = {
  main: 'apps/daemon/src/main.ts',
  'pglite-worker': 'packages/store/src/pglite-worker.ts',
  'compile-wasm': 'packages/store/src/compile-wasm.ts',
}

// What our own code reads at run time lies beside the file that reads it, in the sources and in the build alike.
const daemonData = { agents: 'packages/questions/src/agents' }

const parts: Part[] = [
  {
    name: 'apps/daemon',
    needs: ['apps/daemon/src/main.ts'],
    sources: ['apps/daemon/package.json', 'apps/daemon/src/**', 'packages/*/src/**'],
    build: buildDaemon,
  },
  {
    name: 'apps/dashboard',
    needs: ['apps/dashboard/vite.config.ts', 'apps/dashboard/index.html', 'apps/dashboard/src/main.tsx'],
    sources: ['apps/dashboard/*.*', 'apps/dashboard/{src,public}/**', 'packages/contracts/src/**'],
    build: buildDashboard,
  },
]

export async function buildParts(options: { ifStale: boolean }): Promise<void> {
  for (const part of parts) {
    if (!part.needs.every((file) => existsSync(join(root, file)))) continue
    const hash = hashSources(part)
    if (options.ifStale && readStamp(part) === hash) continue
    await buildPart(part, hash)
  }
}

/** Builds beside the place and then swaps, so that a reader or a second builder never sees half a build. */
async function buildPart(part: Part, hash: string): Promise<void> {
  const started = performance.now()
  mkdirSync(scratch, { recursive: true })
  const work = mkdtempSync(join(scratch, 'part-'))
  try {
    await part.build(join(work, 'new'))
    writeFileSync(join(work, 'new/.stamp'), hash)
    swap(join(root, part.name, 'dist'), work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  process.stderr.write(`built ${part.name} in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

function swap(dist: string, work: string): void {
  for (let attempt = 1; ; attempt += 1) {
    if (existsSync(dist)) renameIfThere(dist, join(work, `old-${attempt}`))
    try {
      renameSync(join(work, 'new'), dist)
      return
    } catch (error) {
      // Another builder put its result there in between; the last one to finish wins.
      if (attempt === 10 || !isCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error
    }
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

function readStamp(part: Part): string | undefined {
  const file = join(root, part.name, 'dist/.stamp')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Contents, not times: a fresh clone and a switched branch have times that say nothing. */
function hashSources(part: Part): string {
  const hash = createHash('sha256').update(process.versions.node)
  for (const path of globSync([...shared, ...part.sources], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Each entry becomes one file of its own: a running daemon never looks for a chunk that a rebuild took away. */
async function buildDaemon(into: string): Promise<void> {
  const { build } = await import('tsdown')
  for (const [name, entry] of Object.entries(daemonEntries)) {
    if (!existsSync(join(root, entry))) continue
    await build({
      config: false,
      cwd: root,
      entry: { [name]: entry },
      outDir: into,
      clean: false,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      fixedExtension: false,
      dts: false,
      shims: true,
      sourcemap: true,
      tsconfig: 'tsconfig.json',
      outputOptions: { codeSplitting: false },
      deps: { neverBundle: external, alwaysBundle: (id) => !isExternal(id), onlyBundle: false },
      // Nest looks for optional packages that are not installed; tsc has checked our own imports.
      logLevel: 'error',
      failOnWarn: false,
      report: false,
    })
  }
  for (const [name, folder] of Object.entries(daemonData)) {
    if (existsSync(join(root, folder))) cpSync(join(root, folder), join(into, name), { recursive: true })
  }
  writeFileSync(join(into, 'package.json'), '{ "type": "module" }\n')
}

function isExternal(id: string): boolean {
  return external.some((pattern) => (typeof pattern === 'string' ? pattern === id : pattern.test(id)))
}

async function buildDashboard(into: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    root: join(root, 'apps/dashboard'),
    configFile: join(root, 'apps/dashboard/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: into, emptyOutDir: true },
  })
  const bundle = bundleOf(into)
  process.stderr.write(`dashboard: ${bundleWords(bundle)}\n`)
  if (isTooBig(bundle))
    throw new Error('the dashboard became too big: load later what the first screen does not need')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
  await buildParts({ ifStale: values['if-stale'] })
}
