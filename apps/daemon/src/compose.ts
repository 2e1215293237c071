// The one place of the daemon where adapters meet the flow.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Config } from '@treadle/contracts/config'
import type { ConfigRead } from '@treadle/contracts/config/read'
import { signingKeyFile } from '@treadle/contracts/owner-key'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { openDocuments } from '@treadle/documents/documents'
import { RestBook, restTimes } from '@treadle/engines/proxy/rest-book'
import { buildFor } from '@treadle/environment/build/build-command'
import { preparedGates } from '@treadle/environment/prepared-gates'
import { bindAdvance } from '@treadle/flow/advance'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import { Fault } from '@treadle/flow/fault'
import { userSlugOf } from '@treadle/flow/idea/slug'
import type { Gates } from '@treadle/flow/ports/gates'
import { SpecContexts } from '@treadle/flow/spec/spec-contexts'
import { routed } from '@treadle/flow/supervise/roles/route.run'
import { signatureAsked } from '@treadle/flow/verify/failure/signature-asked'
import type { GateOptions } from '@treadle/gates/tests'
import { openKeptGit } from '@treadle/git/kept'
import { openMergeGit } from '@treadle/git/merge'
import { openProjectTree } from '@treadle/git/project-tree'
import { userName } from '@treadle/git/user-name'
import { openWorktreeGit } from '@treadle/git/worktree'
import { LessonIndex } from '@treadle/memory/lesson-index'
import { probeSandbox } from '@treadle/sandbox/probe'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { type OpenStore, openStore, type StoreTarget } from '@treadle/store/connect'
import { lockDirectory } from '@treadle/store/driver/directory-lock'
import { defaultTemplateDir } from '@treadle/store/driver/template'
import type { Logger } from 'pino'
import { asStarted } from './as-started.ts'
import { CategoryPrompts } from './category-prompts.ts'
import type { Clock } from './clock.ts'
import { Crew } from './crew/crew.ts'
import { openWorkspaceIdentity, type WorkspaceIdentity } from './crew/workspace-identity.ts'
import { readCrewKey } from './crew-key.ts'
import { openEngineProbing } from './engine-probing.ts'
import type { DaemonEnv } from './env.ts'
import { gatesWhenNeeded, reviewChecksWhenNeeded } from './gates-when-needed.ts'
import { openIsolation, type SandboxProbe } from './isolation.ts'
import { openCallLists } from './offers/call-lists.ts'
import { EngineCooldowns } from './offers/engine-cooldowns.ts'
import { FileConflicts, filesTaken } from './offers/files.ts'
import { comesLater, keptFor, passesOver } from './offers/pass-over.ts'
import { ThoughtWatch } from './offers/thoughts.ts'
import { WaitList } from './offers/wait-list.ts'
import { ConfirmCodes } from './orders/confirm-codes.ts'
import { needOtherUser } from './other-user.ts'
import { readOwnerKey } from './owner-key.ts'
import { openSettings } from './settings.ts'
import { prepareState } from './state-folders.ts'
import { openWebSearch } from './tavily.ts'
import { BudgetGuard } from './watch/budget-guard.ts'
import { ConflictForecast } from './watch/conflict-forecast.ts'
import { GitWatch } from './watch/git-watch.ts'
import { HealthWatch } from './watch/health-watch.ts'
import { openMeasuring } from './watch/measuring.ts'
import { Notices } from './watch/notices.ts'
import { PressureWatch } from './watch/pressure-watch.ts'
import { ReadinessWatch } from './watch/readiness-watch.ts'
import type { World } from './world.ts'

export interface ComposeOptions {
  readonly root: string
  readonly env: DaemonEnv
  readonly clock: Clock
  /** Of the tables; the store's own where none is named. */
  readonly schema: string | undefined
  readonly version: string
  readonly log: Logger
  readonly stop: (why: string) => void
  readonly stopping: AbortSignal
  /** False: whatever the settings say, no lesson is kept back. */
  readonly trial: boolean
  /** True: it looks for improvements itself, unless the settings say that it must not. */
  readonly ideas: boolean
  /** None: that of this machine is tried. */
  readonly probe?: SandboxProbe
  /** What is opened here is closed with it, also if the rest fails. */
  readonly closing: AsyncDisposableStack
}

export async function compose(options: ComposeOptions): Promise<{ world: World; holder: StoreHolder }> {
  const { root, env, clock, version, log, stop, stopping, closing } = options
  const paths = workspacePaths(root)
  prepareState(paths, log)
  const now = () => clock.now()
  const workspace = openWorkspaceIdentity(paths, env.databaseUrl !== null)
  const { store, holder } = await openDaemonStore(paths, workspace, options, () => config())
  const engines = openEngines(options, () => config())
  const followers: { reload(): void }[] = []
  let crew: Crew | null = null
  let wanted: number | null = null
  const settings = openSettings(paths, (read) => {
    log.info({ warnings: read.warnings, errors: read.errors }, 'the settings were read again')
    engines.cooldowns.clear()
    for (const follower of followers) follower.reload()
    if (crew !== null) followSettings(crew, read.config, { wanted, log })
    wanted = read.config.agents.maxConcurrent
  })
  closing.defer(() => settings.close())
  wanted = settings.current().config.agents.maxConcurrent
  complain(settings.current(), log)
  const config = () => asStarted(settings.current().config, options)
  const gits = openGits(root, env)
  const { keeping, ...judging } = openChecks(paths, options, config)
  const budget = new BudgetGuard()
  const childEnv = env.agentEnv(config().engines.native.keyVariable)
  const isHeld = () => budget.hold().is === 'all'
  const common = { store, config, now, clock, log }
  const moving = bindAdvance({ store, now, config, consequences: CONSEQUENCES })
  crew = new Crew({ ...common, ...moving, paths, workspace, uuid: randomUUID, childEnv, isHeld })
  const measuring = closing.adopt(openMeasuring({ store, config, now, log }), (open) => open.close())
  const notices = new Notices({ store, config, now, clock, env, workspace, log, stopping })
  const parts = { ...gits, ...engines, ...common, ...moving, gates: keeping, paths, budget }
  const { project, readiness, gitWatch, ...lists } = await openProject(options, parts)
  const pressure = openPressure(common, crew, lists.waitList)
  const health = new HealthWatch({ ...common, crew, budget, readiness, pressure, notices, paths, gitWatch })
  followers.push(measuring, notices, health, readiness)
  const world: World = {
    paths,
    ...moving,
    lessons: new LessonIndex(store.lessons, signatureAsked),
    ...gits,
    ...judging,
    ...openCheckout(options, paths, config),
    ...openCallLists(options, config),
    categoryPrompts: new CategoryPrompts({ ...common, root, env, target: project.target }),
    crew,
    workspace,
    budget,
    measuring,
    notices,
    health,
    readiness,
    pressure,
    conflictForecast: new ConflictForecast({ ...common, git: gits.git, target: project.target }),
    ...lists,
    ...engines,
    ...common,
    version,
    stop,
    stopping,
    uuid: randomUUID,
    warnings: () => [...settings.current().warnings, ...gitWatch.warnings()],
    errors: () => settings.current().errors,
    get target() {
      return project.target()
    },
    get testCommand() {
      return project.testCommand()
    },
    startedAt: now(),
    startId: randomBytes(16).toString('hex'),
    ...(await openKeys(options, config)),
  }
  return { world, holder }
}

function openPressure(
  common: Pick<World, 'store' | 'config' | 'now' | 'log'>,
  crew: Crew,
  waitList: WaitList,
): PressureWatch {
  return new PressureWatch({
    ...common,
    uuid: randomUUID,
    isElsewhere: (row) => crew.isElsewhere(row),
    onEnough: () => waitList.callEverybody(),
  })
}

/** Models that rest because of their providers, engines that rest because of that or of their keys, and all that are here. */
function openEngines(
  { root, env, clock, stopping }: ComposeOptions,
  config: () => Config,
): Pick<World, 'modelRests' | 'cooldowns' | 'probeEngines'> {
  const now = () => clock.now()
  const modelRests = new RestBook(now, () => restTimes(config().limits))
  const childEnv = () => env.agentEnv(config().engines.native.keyVariable)
  const probeEngines = openEngineProbing({ root, env: childEnv, now, stopping })
  return { modelRests, cooldowns: new EngineCooldowns(now, modelRests), probeEngines }
}

function openGits(repository: string, { gitEnv, childEnv, ownerKey }: DaemonEnv) {
  const file = signingKeyFile(ownerKey, repository)
  const signing = existsSync(file) ? { signingKey: file } : {}
  return {
    git: openMergeGit({ repository, env: gitEnv, ...signing }),
    kept: openKeptGit({ repository, env: childEnv }),
    source: openWorktreeGit({ repository, env: childEnv }),
  }
}

/** The files of the owner's checkout, the documents of ideas among them, whose these are, and what helps to write them. */
function openCheckout(
  { root, env, log }: Pick<ComposeOptions, 'root' | 'env' | 'log'>,
  paths: WorkspacePaths,
  config: () => Config,
): Pick<World, 'documents' | 'tree' | 'userSlug' | 'specContexts' | 'webSearch'> {
  const documents = openDocuments({
    root,
    dir: () => config().ideas.dir,
    memory: paths.documents,
    halves: paths.halves,
    onRefused: (path, why) => log.warn({ path, why }, 'a document was not written'),
  })
  // Asked for each time, so that a change of the name counts for the next idea.
  const userSlug = async () => userSlugOf(await userName({ repository: root, env: env.gitEnv }))
  return {
    documents,
    tree: openProjectTree({ repository: root, env: env.gitEnv }),
    userSlug,
    specContexts: new SpecContexts(),
    webSearch: () => openWebSearch(config().ideas.webSearch, env.secret),
  }
}

type Keys = Pick<World, 'token' | 'ownerKey' | 'asUser' | 'isolation' | 'restsOn' | 'codes'>

/** Both keys, and what keeps the owner's from the crew. */
async function openKeys(options: ComposeOptions, config: () => Config): Promise<Keys> {
  const { root, env, clock, log, stopping, probe = probeSandbox } = options
  await needOtherUser({ paths: workspacePaths(root), env, config, probe })
  const isolation = await openIsolation(probe, config, env.asUser)
  return {
    token: readCrewKey(workspacePaths(root)),
    ownerKey: readOwnerKey(env.ownerKey, log),
    asUser: env.asUser,
    isolation,
    restsOn: () => isolation().is,
    codes: new ConfirmCodes({ now: () => clock.now(), uuid: randomUUID, draw: sixDigits, stopping }),
  }
}

function sixDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

type StoreHolder = Pick<OpenStore, 'setHolder'>

function openWaitList(
  parts: Pick<
    World,
    'store' | 'config' | 'budget' | 'cooldowns' | 'stopping' | 'thoughtWatch' | 'advance' | 'now'
  >,
): WaitList {
  const { store, config, budget, cooldowns, stopping, thoughtWatch } = parts
  const conflicts = new FileConflicts(parts)
  return new WaitList({
    store,
    pollMs: () => config().limits.pollMs,
    affordable: () => budget.affordable(),
    passesOver: (item, id) => passesOver(store, item, id),
    comesLater: (item, now) => comesLater(store, item, now),
    filesTaken: (looked, now) => filesTaken(store, looked, new Date(now)),
    onLocked: (item, lock) => conflicts.tell(item, lock),
    keptFor: (item, now) =>
      keptFor(store, item, { now, engine: cooldowns.engineFor(item, config().engines) }),
    coolingDown: () => cooldowns.judge(config().engines),
    areThoughtsOpen: () => thoughtWatch.areOpen(),
    stopping,
  })
}

/** What judges changes: of agents at the merge, and of deliveries at the review. */
function openChecks(
  paths: WorkspacePaths,
  { env, log }: Pick<ComposeOptions, 'env' | 'log'>,
  config: () => Config,
): Pick<World, 'gates' | 'reviewChecks'> & { keeping: Gates } {
  const options: GateOptions = {
    ...gateOptionsOf(paths, env, config()),
    // Asked for each time, so that a change of the settings counts for the next run.
    buildFor: (command, cwd) => buildFor(config().tests.buildCommand)(command, cwd),
  }
  const gates = gatesWhenNeeded(options)
  const preparing = { folder: paths.packages, log: (message: string) => log.info(message) }
  return {
    // What decides about a merge shares no file with a worktree that an engine works in.
    gates: preparedGates(gates, { ...preparing, packages: 'own' }),
    keeping: preparedGates(gates, { ...preparing, packages: 'keep' }),
    reviewChecks: reviewChecksWhenNeeded(options),
  }
}

function gateOptionsOf(paths: WorkspacePaths, { childEnv }: DaemonEnv, config: Config): GateOptions {
  return {
    evidenceDir: paths.evidence,
    env: childEnv,
    tailBytes: config.limits.outputTailBytes,
    outputBytesMax: config.limits.outputBytes,
    surroundings: openSurroundings({ ...config.sandbox, owner: paths.root }),
    network: config.gates.network,
  }
}

async function openDaemonStore(
  paths: WorkspacePaths,
  { id, shared }: WorkspaceIdentity,
  { env, clock, schema, log, closing }: ComposeOptions,
  config: () => Config,
): Promise<{ store: OpenStore; holder: StoreHolder }> {
  const { databaseUrl } = env
  const embedded: StoreTarget = { is: 'embedded', dir: paths.store }
  const target: StoreTarget = databaseUrl === null ? embedded : { is: 'server', url: databaseUrl }
  // A server does not keep two daemons out of one workspace; the embedded database does it by itself.
  const lock = databaseUrl === null ? null : lockDirectory(paths.store)
  closing.defer(() => lock?.release())
  const store = await openStore(target, {
    now: () => clock.now(),
    compilesAhead: true,
    templateDir: defaultTemplateDir(env.home),
    workspace: { id, shared },
    log: (message: string) => log.info(message),
    ...(schema === undefined ? {} : { schema }),
  })
  closing.defer(() => store.close())
  // Nobody has the store without its routes: no event is recorded past what follows from it.
  return { store: routed(store, config), holder: lock ?? store }
}

function complain({ warnings, errors }: ConfigRead, log: Logger): void {
  for (const warning of warnings) log.warn(warning)
  for (const error of errors) log.error(error)
}

function followSettings(
  crew: Crew,
  config: Config,
  { wanted, log }: { wanted: number | null; log: Logger },
): void {
  const { maxConcurrent } = config.agents
  // Only a change of the number is an order; a crew that was given another one keeps it, as far as there is room.
  const resized = maxConcurrent === wanted ? crew.shrink(config.limits.agents) : crew.resize(maxConcurrent)
  resized.catch((error: unknown) => log.error({ err: error }, 'the crew could not follow the settings'))
  crew
    .followReviewer()
    .catch((error: unknown) => log.error({ err: error }, 'the reviewer could not follow the settings'))
}

interface Project {
  target(): string
  testCommand(): string | null
}

/** What the settings say of the project, or else its files, and who watches that it can be believed. */
async function openProject(
  { root, env, clock, log, stopping }: ComposeOptions,
  parts: Pick<
    World,
    'config' | 'git' | 'source' | 'gates' | 'paths' | 'store' | 'budget' | 'cooldowns' | 'advance' | 'now'
  >,
): Promise<
  Pick<World, 'readiness' | 'waitList' | 'thoughtWatch'> & { project: Project; gitWatch: GitWatch }
> {
  const { config, git, gates, paths } = parts
  const thoughtWatch = new ThoughtWatch(parts.store, () => config().limits.pollMs, clock)
  const waitList = openWaitList({ ...parts, thoughtWatch, stopping })
  const target = await targetBranch(config, git)
  const detected = await gates.detectTestCommand(root)
  const project = { target, testCommand: () => config().tests.command ?? detected }
  const own = { clock, now: () => clock.now(), uuid: randomUUID, log, stopping }
  const readiness = new ReadinessWatch({
    ...parts,
    ...project,
    ...own,
    onReady: () => waitList.callEverybody(),
  })
  const gitWatch = await GitWatch.open({ repository: root, env: env.gitEnv }, { file: paths.gitConfig, log })
  return { project, readiness, gitWatch, waitList, thoughtWatch }
}

/** Asked for each time, so that a change of treadle.json counts for the next merge. */
async function targetBranch(
  config: () => Config,
  git: { currentBranch(): Promise<string | null> },
): Promise<() => string> {
  const target = config().merge.target ?? (await git.currentBranch())
  if (target === null) {
    throw new Fault('target', 'no branch to merge into: HEAD is detached', {
      hint: 'Set merge.target in treadle.json.',
    })
  }
  return () => config().merge.target ?? target
}
