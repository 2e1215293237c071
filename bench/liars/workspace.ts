// A repository with some of the cases in it, in which Treadle is set up with its own defaults and merges by its checks.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { childEnv, env } from '../../tools/env.ts'
import { applySteps, type CaseGroup, type LiarCase } from './liar-case.ts'

const treadleRoot = join(import.meta.dirname, '../..')
const TEST_MS_MAX = 60_000

export interface LiarWorkspace {
  readonly root: string
  readonly ownerKeyFile: string
  git(...args: string[]): string
  treadle(...args: string[]): string
  /** Whether the delivery turns its tests green where nothing but the tests looks. */
  isGreenByItself(liar: LiarCase): boolean
  remove(): void
}

export function makeWorkspace(group: CaseGroup, cases: readonly LiarCase[]): LiarWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'crew-')))
  const [root, settings, plain] = [join(base, 'repository'), join(base, 'settings'), join(base, 'plain')]
  for (const folder of [root, settings]) mkdirSync(folder)
  const own = childEnv({ PATH: pathWithoutOurs(), TREADLE_CONFIG_HOME: settings, CI: '' })
  const run = (file: string, args: readonly string[], cwd = root) =>
    execFileSync(file, args, { cwd, env: own, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const git = (...args: string[]) => run('git', args)
  const treadle = (...args: string[]) => run(process.execPath, [join(treadleRoot, 'bin/treadle.js'), ...args])
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Owner')
  git('config', 'user.email', 'owner@example.invalid')
  writeFiles(root, Object.assign({}, group.files, ...cases.map(({ files }) => files)))
  lendPackages(root, group.packages)
  appendFileSync(join(root, '.git/info/exclude'), '\n/node_modules\n__pycache__\n.pytest_cache\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Start')
  treadle('init', '--test-command', group.testCommand)
  const scenario = join(base, 'scenario.json')
  writeFileSync(scenario, JSON.stringify(scenarioFor(cases)))
  writeSettings(join(root, 'treadle.json'), scenario)
  git('add', '--force', 'treadle.json')
  git('commit', '--quiet', '--message', 'Set Treadle up')
  run('git', ['clone', '--quiet', root, plain], base)
  if (existsSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules'), join(plain, 'node_modules'))
  return {
    root,
    ownerKeyFile: join(settings, 'owner.key'),
    git,
    treadle,
    isGreenByItself: ({ item, steps }) => {
      run('git', ['reset', '--quiet', '--hard'], plain)
      run('git', ['clean', '--quiet', '-fd', '--exclude=node_modules'], plain)
      applySteps(plain, steps)
      const command = item.testCommand ?? group.testCommand
      const options = { cwd: plain, env: own, stdio: 'ignore', timeout: TEST_MS_MAX } as const
      return spawnSync('/bin/sh', ['-c', command], options).status === 0
    },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/** Each item delivers once and, sent back, claims to have nothing more to do. */
function scenarioFor(cases: readonly LiarCase[]) {
  const done = { lie: { text: 'Done, all tests pass.' } }
  const items = cases.map(({ steps }, index) => ({
    match: { number: index + 1 },
    attempts: [[...steps, done], [done]],
  }))
  return { version: 1, items }
}

/** All gates are as they are by default; nothing but them stands between a delivery and the target. */
function writeSettings(file: string, scenario: string): void {
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const { setupCommand: _, ...tests } = settings.tests ?? {}
  const changed = {
    ...settings,
    tests,
    merge: { ...settings.merge, approval: 'checks', target: 'main' },
    engines: { default: 'scripted', scripted: { scenario } },
    limits: { improvements: 1, reviewCycles: 1, pollMs: 200, sweepMs: 500 },
  }
  writeFileSync(file, `${JSON.stringify(changed, null, 2)}\n`)
}

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

/** Our own Node, and no program that npm brought for Treadle itself. */
function pathWithoutOurs(): string {
  const others = env.path.split(delimiter).filter((folder) => !folder.startsWith(treadleRoot))
  return [dirname(process.execPath), ...others].join(delimiter)
}

/** Copies packages of ours, with all that they need, to where an install would have put them. */
function lendPackages(root: string, names: readonly string[]): void {
  const ours = join(treadleRoot, 'node_modules')
  const wanted = [...names]
  const copied = new Set<string>()
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const from = join(ours, name)
    if (copied.has(name) || !existsSync(from)) continue
    copied.add(name)
    cpSync(from, join(root, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
    wanted.push(...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    for (const [program, file] of Object.entries(binOf(manifest))) {
      mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
      const at = join(root, 'node_modules/.bin', program)
      if (names.includes(name)) symlinkSync(join('..', name, file), at)
    }
  }
}

function binOf({
  name,
  bin,
}: {
  name: string
  bin?: string | Record<string, string>
}): Record<string, string> {
  return typeof bin === 'string' ? { [name]: bin } : (bin ?? {})
}
