// Asks the project's compiler about all green patches at once: each has its own copy of the sources.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Scratch } from '../confined.ts'
import { applyChanges, changesByFile } from '../edits/patch.ts'
import type { Project } from '../project/load.ts'
import type { Types } from '../search/rank.ts'
import type { CandidateResult } from '../search/round.ts'

const PATCHES_MAX = 40
const FILES_MAX = 4_000
const TIMEOUT_MS = 60_000

export interface TypecheckOptions {
  readonly project: Project
  readonly scratch: Scratch
  /** The compiler; null: the nearest one of the project. */
  readonly tsc: string | null
  /** Ends the compiler; then nothing was checked. */
  readonly signal?: AbortSignal | undefined
}

/** One verdict per patch, in their order; all `none` without a configuration, all `unchecked` without a compiler. */
export async function checkTypes(
  green: readonly CandidateResult[],
  options: TypecheckOptions,
): Promise<Types[]> {
  const { project } = options
  const unchecked = green.map((): Types => 'unchecked')
  const config = join(project.root, 'tsconfig.json')
  if (!existsSync(config)) return green.map(() => 'none')
  const tsc = options.tsc ?? nearestCompiler(project.root)
  const sources = project.files.filter((file) => /\.[cm]?tsx?$/.test(file.path))
  const many = Math.min(green.length, PATCHES_MAX) * sources.length > FILES_MAX
  if (tsc === null || sources.length === 0 || green.length === 0 || many) return unchecked
  const folder = writeCopies(green.slice(0, PATCHES_MAX), options, config)
  const output = await run(tsc, folder, options)
  if (output === null) return unchecked
  const errors = readErrors(output)
  const before = errors.get('base') ?? []
  return green.map((_, index) => {
    if (index >= PATCHES_MAX) return 'unchecked'
    return hasNew(errors.get(`p${index}`) ?? [], before) ? 'unclean' : 'clean'
  })
}

function nearestCompiler(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', '.bin', 'tsc')
    if (existsSync(found)) return found
    if (dirname(folder) === folder) return null
  }
}

function nearestPackages(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules')
    if (existsSync(found)) return found
    if (dirname(folder) === folder) return null
  }
}

function writeCopies(
  green: readonly CandidateResult[],
  { project, scratch }: TypecheckOptions,
  config: string,
): string {
  // Under a name that no candidate, which may write here, could have made a link of.
  const folder = join(scratch.path, randomUUID())
  const copies = [
    { name: 'base', edits: [] as CandidateResult['edits'] },
    ...green.map(({ edits }, index) => ({ name: `p${index}`, edits })),
  ]
  for (const { name, edits } of copies) {
    const changed = changesByFile(edits)
    for (const file of project.files) {
      if (file.isTestCode) continue
      const path = join(folder, name, file.path)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, applyChanges(file.text, changed.get(file.path)?.changes ?? []))
    }
  }
  const packages = nearestPackages(project.root)
  if (packages !== null) symlinkSync(packages, join(folder, 'node_modules'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const compilerOptions = {
    noEmit: true,
    composite: false,
    incremental: false,
    rootDir: '.',
    skipLibCheck: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
  const written = {
    extends: config,
    compilerOptions,
    include: copies.map(({ name }) => `${name}/**/*`),
    files: [],
    references: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(written))
  return folder
}

/** Runs the compiler; null where it failed itself. */
function run(tsc: string, folder: string, { scratch, signal }: TypecheckOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` }
    const compile = [tsc, '--noEmit', '--pretty', 'false', '-p', 'tsconfig.json']
    // What confines it starts in the project.
    const start = ['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', folder, ...compile]
    const [program = '', ...args] = [...scratch.before, ...start]
    const options = { cwd: folder, env, timeout: TIMEOUT_MS, signal, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, args, options, (error, stdout) => {
      const said = /error TS\d+/.test(stdout)
      // Errors outside of the copies are about the configuration: then nothing was checked.
      const broken = signal?.aborted === true || /^error TS\d+/m.test(stdout) || (error !== null && !said)
      resolve(broken ? null : stdout)
    })
  })
}

/** Errors of each copy, without the place, which an edit may move. */
function readErrors(output: string): Map<string, string[]> {
  const errors = new Map<string, string[]>()
  for (const found of output.matchAll(/^([^/\n]+)\/([^(\n]+)\(\d+,\d+\): error (TS\d+: .*)$/gm)) {
    const [, copy = '', file = '', text = ''] = found
    errors.set(copy, [...(errors.get(copy) ?? []), `${file} ${text}`])
  }
  return errors
}

function hasNew(after: readonly string[], before: readonly string[]): boolean {
  const left = [...before]
  return after.some((error) => {
    const at = left.indexOf(error)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
