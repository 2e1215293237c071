// Every engine: usable or why not, what to do, and whether it rests because its key was refused.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EngineProbes, type NamedProbe, type Visible } from '@treadle/contracts/engine-probe'
import { timeOfDay } from '@treadle/contracts/words/time'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { findDaemon } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { findWorkspace } from '../workspace.ts'

const PROBE_MAIN = fileURLToPath(new URL('../../../agent/src/probe.ts', import.meta.url))
const PROBE_MS = 60_000

export interface Finding {
  readonly what: string
  readonly is: 'ok' | 'missing' | 'note'
  readonly found: string
  readonly hint: string | null
}

export interface EngineReport {
  readonly findings: readonly Finding[]
  /** What each engine and each gate sees, for programs. */
  readonly visible: readonly Visible[]
}

export async function engineReport(env: CliEnv): Promise<EngineReport> {
  let paths: WorkspacePaths
  try {
    paths = findWorkspace(env)
  } catch {
    return { findings: [{ what: 'engines', is: 'note', found: 'no workspace', hint: null }], visible: [] }
  }
  const answer = await probeAll(paths, env)
  if ('what' in answer) return { findings: [answer], visible: [] }
  const refused = await refusedEngines(paths, env)
  const findings = [
    ...answer.engines.map((engine) => findingOf(engine, answer.default, refused)),
    ...usual(answer),
    sandboxOf(answer),
    ...visibleFindings(answer.visible),
    ...reachOf(answer),
  ]
  return { findings, visible: answer.visible }
}

async function probeAll(paths: WorkspacePaths, env: CliEnv): Promise<EngineProbes | Finding> {
  try {
    const options = { env: { ...env.all }, timeout: PROBE_MS }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [PROBE_MAIN, '--workspace', paths.root],
      options,
    )
    return EngineProbes.parse(JSON.parse(stdout))
  } catch (error) {
    const found = `could not be asked: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`
    return {
      what: 'engines',
      is: 'missing',
      found,
      hint: 'Correct treadle.json, or run npm ci in the folder of Treadle.',
    }
  }
}

type RefusedEngines = Readonly<Record<string, string>>

async function refusedEngines(paths: WorkspacePaths, env: CliEnv): Promise<RefusedEngines> {
  const running = await findDaemon(paths, env)
  if (running === null) return {}
  const { resting } = await running.client.workspace()
  // One whose provider is in trouble needs nobody's help.
  const refused = resting.filter(({ triesOne }) => triesOne !== true)
  return Object.fromEntries(
    refused.map(({ engine, until, why }) => [engine, `rests until ${timeOfDay(until)}: ${why}`]),
  )
}

/** A finding about one engine; only the one that is to be used has to be usable. */
function findingOf(engine: NamedProbe, chosen: string, refused: RefusedEngines): Finding {
  const { name } = engine
  const what = name === chosen ? `engine ${name} (engines.default)` : `engine ${name}`
  const rests = refused[name]
  if (rests !== undefined)
    return {
      what,
      is: name === chosen ? 'missing' : 'note',
      found: rests,
      hint: 'Mend its key, then change treadle.json or start again: treadle down, treadle up',
    }
  if (engine.is === 'usable') return { what, is: 'ok', found: engine.note, hint: null }
  const hint = hintWords(engine.hint)
  return { what, is: name === chosen ? 'missing' : 'note', found: engine.why, hint }
}

/** A sentence begins with a capital; a command is to be typed as it stands. */
export function hintWords(hint: string): string {
  return hint.replace(
    /^(set|correct|allow|run|start|see) /,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  )
}

/** A name that no engine has. */
function usual({ default: chosen, engines }: EngineProbes): Finding[] {
  if (engines.some(({ name }) => name === chosen)) return []
  const hint = `Set engines.default in treadle.json to one of: ${engines.map(({ name }) => name).join(', ')}`
  return [{ what: 'engine', is: 'missing', found: `${chosen}, which does not exist`, hint }]
}

function sandboxOf({ sandbox }: EngineProbes): Finding {
  if (sandbox.is === 'unusable')
    return { what: 'sandbox', is: 'missing', found: sandbox.why, hint: hintWords(sandbox.hint) }
  return { what: 'sandbox', is: sandbox.confined ? 'ok' : 'note', found: sandbox.note, hint: null }
}

/** What commands without the network reach all the same. */
function reachOf({ visible, reach }: EngineProbes): Finding[] {
  if (!visible.some(({ is }) => is === 'confined')) return []
  return [
    {
      what: 'reachable without network',
      is: 'ok',
      found: reach.length === 0 ? 'nothing but a loopback of its own' : reach.join(', '),
      hint: 'More, if tests need a service: sandbox.reach in treadle.json',
    },
  ]
}

/** What all of them can read is said once, then of each engine and each gate what it has besides. */
export function visibleFindings(visible: readonly Visible[]): Finding[] {
  const confined = visible.filter(({ is }) => is === 'confined')
  const [first] = confined
  const shared = (first?.read ?? []).filter((path) => confined.every(({ read }) => read.includes(path)))
  const all: Finding = {
    what: 'visible inside',
    is: 'ok',
    found: `${shared.join(', ')}; the home and everything else is empty inside`,
    hint: 'More, if tools are missing: sandbox.show in treadle.json',
  }
  return [...(first === undefined ? [] : [all]), ...visible.map((one) => visibleFinding(one, shared))]
}

function visibleFinding({ of, kind, is, read, write, network }: Visible, shared: readonly string[]): Finding {
  const what = `visible to ${kind} ${of}`
  if (is === 'nothing') return { what, is: 'note', found: 'nothing: it is not started', hint: null }
  if (is === 'everything')
    return { what, is: 'note', found: 'everything that you can read, and the network', hint: null }
  const more = read.filter((path) => !shared.includes(path))
  const found = [
    'the worktree',
    ...(more.length === 0 ? [] : [`to read ${more.join(', ')}`]),
    ...(write.length === 0 ? [] : [`to write ${write.join(', ')}`]),
    network ? 'the network' : 'no network',
  ]
  return { what, is: 'ok', found: found.join('; '), hint: null }
}
