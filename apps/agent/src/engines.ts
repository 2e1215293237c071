// Which engine the settings name, ready to be opened.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { ENGINE_MARK } from '@treadle/contracts/child-env'
import type { Config } from '@treadle/contracts/config'
import { type ModelUse, modelFor } from '@treadle/contracts/config/models'
import { engineSandbox } from '@treadle/contracts/config/sandbox'
import type { AgentId } from '@treadle/contracts/ids'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { type EngineSettings, openEngine } from '@treadle/engines/catalogue'
import type { EngineSandbox } from '@treadle/engines/confined'
import { driven } from '@treadle/engines/driven'
import { accessOf } from '@treadle/engines/external/access'
import { nativeSettings } from '@treadle/engines/native/model'
import { isPriced, openPrices } from '@treadle/engines/prices'
import { aloneRest } from '@treadle/engines/proxy/alone-rest'
import { type ProxyWorld, proxied } from '@treadle/engines/proxy/proxied'
import { RestBook, restTimes } from '@treadle/engines/proxy/rest-book'
import { questioning } from '@treadle/engines/questioning'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Engine } from '@treadle/flow/ports/engine'
import type { BookQuery } from '@treadle/flow/ports/memory'
import { reviewerIn } from '@treadle/flow/work/approval'
import type { RepairMemory } from '@treadle/repair/memory'
import type { RepairSettings } from '@treadle/repair/settings'
import { crewCalls } from './crew-calls.ts'
import { crewRest } from './crew-rest.ts'
import { readEnv, readKeys } from './env.ts'
import type { Home } from './home.ts'
import { openWorktreeFiles } from './worktree-files.ts'

export interface EngineChoice {
  readonly config: Config
  readonly paths: WorkspacePaths
  /** Who asks: names the file in which a coding session answers. */
  readonly id: string
  /** What a search is told beyond the settings. */
  readonly search?: Pick<RepairSettings, 'wallSeconds' | 'retries' | 'reportFile' | 'onGreen'>
  /** What the crew has learned; null where no daemon can be asked. */
  readonly memory: RepairMemory | null
  /** What the engine is opened for; left out: building. */
  readonly use?: ModelUse
  /** Models that wrote what is to be read: where another one is named, that one reads. */
  readonly authorModels?: readonly string[]
  /** Whom the rest of a model is shared with; left out: nobody. */
  readonly crew?: { readonly id: AgentId; readonly home: Home; readonly log: (message: string) => void }
}

export function engineOf(choice: EngineChoice, name: string = choice.config.engines.default): Engine {
  const settings = engineSettings(choice)
  const found = openEngine(name, settings)
  // A goal is planned and reflected upon by whoever can; for the others it is done here.
  if (found.is === 'found') {
    const engine = proxied(found.engine, settings, proxyWorld(choice, name))
    // A reply asks its questions in its own words, of whoever reads it.
    const isReply = choice.use === 'idea' || choice.use === 'spec'
    return driven(isReply ? engine : questioning(engine), sandboxOfEngines(choice))
  }
  throw new Fault('engine', `there is no engine ${name}`, {
    hint: `Known engines: ${found.known.join(', ')}. Set engines.default in treadle.json.`,
  })
}

/** What the proxy before an engine needs of the crew and of the settings. */
function proxyWorld({ config, crew }: EngineChoice, engine: string): ProxyWorld {
  const { limits, engines } = config
  const alone = () =>
    aloneRest(
      new RestBook(
        () => new Date(),
        () => restTimes(limits),
      ),
      engine,
    )
  return {
    rest: crew === undefined ? alone() : crewRest({ ...crew, engine, limits }),
    ...(crew === undefined ? {} : { calls: crewCalls({ ...crew, limits }) }),
    holdMs: limits.providerHoldMs,
    models: engines.allowModels,
  }
}

/** What each engine gets of the settings and of this machine. */
export function engineSettings(choice: EngineChoice): EngineSettings {
  const { scripted, repair, command } = choice.config.engines
  const scenario = scripted.scenario === null ? null : resolve(choice.paths.root, scripted.scenario)
  const memory = choice.memory === null ? {} : { memory: choice.memory }
  const sandbox = sandboxOfEngines(choice)
  const responseFile = `${choice.paths.sessions}/${choice.id}.response.md`
  return {
    scripted: { scenario, sandbox },
    repair: { ...repair, ...choice.search, testTimeoutMs: choice.config.tests.timeoutMs, ...memory, sandbox },
    command: { ...command, responseFile, sandbox },
    mend: { openTree: openWorktreeFiles },
    ...(choice.config.engines.network === 'proxy' ? { proxyOnly: sandbox.reach ?? [] } : {}),
    ...modelEngines(choice, sandbox),
  }
}

/** The sandbox of engines; a relative folder in the settings starts at the workspace. */
export function sandboxOfEngines({ config, paths }: Pick<EngineChoice, 'config' | 'paths'>): EngineSandbox {
  const { mode, show, reach } = engineSandbox(config)
  const shown = show.map((path) => (/^~(\/|$)/.test(path) ? path : resolve(paths.root, path)))
  return { mode, show: shown, reach }
}

/** Of the keys that this process was given, each engine gets its own. */
function modelEngines(
  { config: { engines, limits }, use = 'build', authorModels = [] }: EngineChoice,
  { mode: sandbox, show }: EngineSandbox,
): Pick<EngineSettings, 'native' | 'claude-code' | 'acp'> {
  const prices = openPrices(engines.prices, limits.assumedCallUSD)
  const modelOf = (engine: string) => modelFor(engines.models, engine, { use, authorModels })
  const model = modelOf('native') ?? ''
  const keys = readKeys(engines.native.keyVariable)
  return {
    native: nativeSettings(
      { ...engines.native, model },
      { sandbox, show: show ?? [], prices, isPriced: (name) => isPriced(name, engines.prices) },
      keys,
    ),
    'claude-code': {
      ...engines['claude-code'],
      model: modelOf('claude-code'),
      env: readEnv(),
      access: accessOf('claude-code', keys),
      sandbox,
      show: show ?? [],
      prices,
    },
    acp: (name) => ({
      command: name === 'acp' ? engines.acp.command : null,
      model: modelOf(name),
      env: readEnv(),
      access: accessOf(name, keys),
      sandbox,
      show: show ?? [],
      prices,
    }),
  }
}

/** The engine that reads deliveries. */
export function reviewEngineOf(choice: EngineChoice, authorModels: readonly string[] = []): Engine {
  const reviewer = reviewerIn(choice.config)
  if (reviewer.is === 'none') throw new Fault('engine', `nobody can review: ${reviewer.why}`)
  return engineOf({ ...choice, use: 'review', authorModels }, reviewer.name)
}

/** What an engine and all that it starts carry; no other process has the same. */
export function markedEnv(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...env, [ENGINE_MARK]: randomUUID() }
}

/** The engine that may try before the default one. */
export function firstEngineOf(choice: EngineChoice): Engine | null {
  const { first, default: usual } = choice.config.engines
  return first === null || first === usual ? null : engineOf(choice, first)
}

/** Lessons over the API; an agent that cannot reach them goes on without. */
export function memoryOf(home: Home, log: (message: string) => void): RepairMemory {
  return {
    recall: async ({ paths = [], ...query }: BookQuery) => {
      try {
        const [path] = paths
        const asked = path === undefined ? query : { path, ...query }
        return (await home.client().recallLessons({ query: asked })).items
      } catch (error) {
        log(`lessons: ${messageOf(error)}`)
        return []
      }
    },
    record: async (lesson) => {
      await home
        .client()
        .recordLesson({ body: lesson })
        .catch((error: unknown) => log(`lesson: ${messageOf(error)}`))
    },
  }
}
