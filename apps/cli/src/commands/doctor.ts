// Is everything here that Treadle needs? Each line says what was looked at, and what to do if it is missing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@treadle/contracts/config/read'
import type { Resources } from '@treadle/contracts/resources'
import { coreWords, machineWords, resourceLines } from '@treadle/contracts/words/resources'
import { findDaemon } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { paint, print, printJson } from '../output.ts'
import { json, type Program } from '../program.ts'
import { flowed } from '../terminal/columns.ts'
import { UserError } from '../user-error.ts'
import { findRepository, findWorkspace, settingsFault } from '../workspace.ts'
import { engineReport, type Finding } from './doctor-engines.ts'
import { testReport } from './doctor-tests.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export function doctorCommands(program: Program): void {
  const { root, env } = program
  root
    .command('doctor')
    .option('--no-try', 'do not run the tests to see how long they take and what fails now')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await doctor(env, options)
    })
}

async function doctor(env: CliEnv, options: { json?: boolean; try: boolean }): Promise<number> {
  const tests = await testReport(env, options.try)
  const engines = await engineReport(env)
  const findings = [
    node(),
    git(),
    built('dashboard', '../../../dashboard/dist/index.html'),
    repository(),
    ...submodules(),
    ...settings(env),
    ...(await daemon(env)),
    store(env),
    ...tests.findings,
    ...engines.findings,
  ]
  if (options.json) {
    const ok = findings.every((one) => one.is !== 'missing')
    printJson({ ok, findings, tests: tests.look, visible: engines.visible })
  } else {
    for (const { what, is, found, hint } of findings) {
      const mark = { ok: paint('green', '✓'), missing: paint('red', '✗'), note: paint('yellow', '·') }[is]
      print(flowed(`${mark} ${what}: ${found}`, { hang: 4 }))
      if (hint !== null) print(paint('dim', flowed(`    ${hint}`)))
    }
  }
  return findings.some((one) => one.is === 'missing') ? 1 : 0
}

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  return {
    what: 'Node',
    is: major >= 24 ? 'ok' : 'missing',
    found: process.versions.node,
    hint: major >= 24 ? null : 'Run npm ci in the folder of Treadle, or install Node 24.',
  }
}

function git(): Finding {
  const need = 'Install git 2.38 or newer.'
  try {
    const version = execFileSync('git', ['--version'], { encoding: 'utf8' })
      .trim()
      .replace('git version ', '')
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const enough = major > 2 || (major === 2 && minor >= 38)
    return { what: 'git', is: enough ? 'ok' : 'missing', found: version, hint: enough ? null : need }
  } catch {
    return { what: 'git', is: 'missing', found: 'not found', hint: need }
  }
}

function built(what: string, path: string): Finding {
  const there = existsSync(at(path))
  return {
    what,
    is: there ? 'ok' : 'missing',
    found: there ? 'built' : 'not built',
    hint: there ? null : 'Run npm ci in the folder of Treadle.',
  }
}

function repository(): Finding {
  try {
    return { what: 'repository', is: 'ok', found: findRepository(process.cwd()), hint: null }
  } catch {
    return {
      what: 'repository',
      is: 'note',
      found: 'this folder is not in a git repository',
      hint: 'Go to the repository that the crew is to work on.',
    }
  }
}

/** A finding about submodules that are not checked out; none where all of them are. */
function submodules(): Finding[] {
  try {
    const root = findRepository(process.cwd())
    const lines = execFileSync('git', ['submodule', 'status'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    const away = [...lines.matchAll(/^-[0-9a-f]+ (.+)$/gm)].map(([, path]) => path)
    if (away.length === 0) return []
    const found = `${away.join(', ')} ${away.length === 1 ? 'is' : 'are'} not here, so agents do not have it either`
    return [{ what: 'submodules', is: 'note', found, hint: 'git submodule update --init' }]
  } catch {
    // No repository, or one whose submodules git cannot read; that is said elsewhere.
    return []
  }
}

/** A finding about a treadle.json that cannot be parsed; none where it can. */
function settings(env: CliEnv): Finding[] {
  try {
    const fault = settingsFault(findWorkspace(env).root)
    if (fault === null) return []
    return [{ what: 'settings', is: 'missing', found: fault.message, hint: fault.hint }]
  } catch {
    // There is no workspace here; that is said elsewhere.
    return []
  }
}

const warning = (found: string): Finding => ({ what: 'warning', is: 'note', found, hint: null })

/** What a daemon would say of the settings. */
function warnings(env: CliEnv): Finding[] {
  const file = findWorkspace(env).config
  const own = existsSync(file) ? readFileSync(file, 'utf8') : null
  return readConfig({ own, vscode: null }).warnings.map(warning)
}

async function daemon(env: CliEnv): Promise<Finding[]> {
  try {
    const running = await findDaemon(findWorkspace(env), env)
    if (running === null)
      return [
        { what: 'daemon', is: 'note', found: 'not running', hint: 'treadle up' },
        ...taskset(),
        ...warnings(env),
      ]
    const health = await running.client.health()
    const { warnings: told, resources } = await running.client.workspace()
    return [
      {
        what: 'daemon',
        is: health.ok ? 'ok' : 'missing',
        found: `${running.url}, store ${health.store.driver}, durability ${health.store.durability}`,
        hint: health.ok ? null : 'See .treadle/logs/daemon.log',
      },
      ...(resources === null ? [] : machineFindings(resources)),
      ...told.map(warning),
    ]
  } catch (error) {
    if (error instanceof UserError && error.message.startsWith('The daemon'))
      return [{ what: 'daemon', is: 'missing', found: error.message, hint: error.hint }]
    return [{ what: 'workspace', is: 'note', found: 'none here', hint: 'treadle init' }]
  }
}

/** The machine as the daemon sees it: enough or short, and which agent is kept to which cores. */
function machineFindings(resources: Resources): Finding[] {
  const lines = resourceLines(resources)
  const { why, agents } = resources.cores
  return [
    {
      what: 'machine',
      is: lines.length === 0 ? 'ok' : 'note',
      found: [`${machineWords(resources)}.`, ...lines].join(' ').replace(/\.$/, ''),
      hint:
        lines.length === 0
          ? null
          : 'End other programs, or run fewer agents; the limits are in treadle.json.',
    },
    {
      what: 'cores',
      is: why === null || Object.keys(agents).length > 0 ? 'ok' : 'note',
      found: coreWords(resources.cores),
      hint: null,
    },
  ]
}

/** A finding about the program that keeps agents to cores, where no daemon says it; none where all is well. */
function taskset(): Finding[] {
  if (process.platform === 'linux' && spawnSync('taskset', ['--version']).error === undefined) return []
  const found = 'agents are not kept to cores of their own: taskset is not here'
  const hint = process.platform === 'linux' ? 'Install util-linux, if you want that.' : null
  return [{ what: 'cores', is: 'note', found, hint }]
}

function store(env: CliEnv): Finding {
  const server = env.all.DATABASE_URL !== undefined
  return { what: 'store', is: 'ok', found: server ? 'PostgreSQL by DATABASE_URL' : 'embedded', hint: null }
}
