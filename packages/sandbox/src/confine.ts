// The one door to the sandbox: says how a foreign program is to be started, confined where this machine can.
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { env as own } from './env.ts'
import { confinedEnv, MARKS } from './environment.ts'
import { launcher } from './launch.ts'
import { isBelow, moved, realPath } from './paths.ts'
import { gitSettings, privateGit } from './private-git.ts'
import { probeSandbox, type Sandbox } from './probe.ts'
import { Runtime } from './runtime.ts'
import { masksFor, secretPaths, stateFolders } from './secrets.ts'
import { detectToolchain, installRoot } from './toolchain.ts'
import { type Bind, bubblewrapArgs, type View } from './view.ts'

export type SandboxMode = 'auto' | 'required' | 'off'
type Env = Readonly<Record<string, string | undefined>>

export interface Confine {
  readonly mode: SandboxMode
  /** What runs, for people: 'engine', 'test command'. */
  readonly purpose: string
  /** The setting that asks for a sandbox, for people. */
  readonly setting?: string
  readonly argv: readonly string[]
  /** The folder to start in: the worktree, or one in it. */
  readonly cwd: string
  readonly worktree?: string
  /** Where the worktree stands inside. The path of the owner's checkout, so that all that leads there leads to it. */
  readonly at?: string
  readonly isReadOnly?: boolean
  readonly network: View['network']
  /** Passed on as far as it is on the list; HOME, PATH and the places of tools are also searched for tools. */
  readonly env: Env
  /** Passed on as it is: keys of models, settings of the command. */
  readonly envAdded?: Env
  /** Written to and kept, besides the worktree; what does not exist is left out. */
  readonly writable?: readonly string[]
  /** Bound by the caller's own will, whatever is known of the path; made ready only where it is confined. */
  binds?(): readonly (Bind & { readonly isWritable: boolean })[]
  /** Installed packages, relative to the checkout that lends them. */
  readonly lend?: { readonly from: string; readonly names: readonly string[] }
  /** Shown read-only because the owner wants it; secrets in it stay covered. */
  readonly show?: readonly string[]
  /** Out of sight besides what always is. */
  readonly never?: readonly string[]
  readonly sockets?: readonly Bind[]
  /** Variables by which processes are found from outside, taken away inside. */
  readonly marks?: readonly string[]
  readonly bwrap?: string
}

export interface Confined {
  readonly is: 'ready'
  readonly isConfined: boolean
  /** The whole command line; any way of starting a program takes it, from the main thread. */
  readonly argv: readonly string[]
  /** The same without the program and its arguments, for a shell that starts several. */
  readonly before: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What a person should know; null: it is confined, or nobody wanted it to be. */
  readonly warning: string | null
  /** What is visible inside, for people who ask. */
  readonly view: View | null
  /** A path of the worktree, as it is called inside. */
  inside(path: string): string
  /** A path that was named inside, as it is called here. */
  outside(path: string): string
  /** Removes what it needed on disk, after everything inside has ended. */
  close(): void
}

export type Confining = Confined | { readonly is: 'refused'; readonly why: string }

/** Only a namespace ends such a process: nothing tells any more whose it was. */
const OUTLIVES = 'A process of it that leaves its session and clears its environment outlives the turn.'

export async function confine(wanted: Confine): Promise<Confining> {
  const { mode, purpose, setting = 'sandbox.mode' } = wanted
  if (mode === 'off') return unconfined(wanted, null)
  const sandbox = await probeSandbox(wanted.bwrap)
  if (sandbox.is === 'bubblewrap') return await confineBy(sandbox, wanted)
  const why = `${sandbox.why} (${sandbox.hint})`
  if (mode === 'required') return { is: 'refused', why: `${setting} is required, but ${why}.` }
  return unconfined(wanted, `The ${purpose} is not confined to its worktree: ${why}. ${OUTLIVES}`)
}

function unconfined({ argv, env, envAdded }: Confine, warning: string | null): Confined {
  const asItIs = (path: string) => path
  return {
    is: 'ready',
    isConfined: false,
    argv,
    before: [],
    env: confinedEnv(env, envAdded),
    warning,
    view: null,
    inside: asItIs,
    outside: asItIs,
    close: () => undefined,
  }
}

async function confineBy(
  sandbox: Extract<Sandbox, { is: 'bubblewrap' }>,
  wanted: Confine,
): Promise<Confined> {
  const runtime = new Runtime()
  try {
    const { view, settings } = await viewFor(sandbox, wanted, runtime)
    const before = [...launcher(sandbox.bwrap, runtime.folder), ...bubblewrapArgs(view)]
    const env = {
      ...confinedEnv(wanted.env, wanted.envAdded),
      TMPDIR: '/tmp',
      ...(view.home === null ? { HOME: '/tmp' } : {}),
      GIT_CONFIG_SYSTEM: settings,
    }
    const { from, at } = view.worktree
    return {
      is: 'ready',
      isConfined: true,
      argv: [...before, ...wanted.argv],
      before,
      env,
      warning: null,
      view,
      inside: (path) => moved(path, { from, at }),
      outside: (path) => moved(path, { from: at, at: from }),
      close: () => runtime.close(),
    }
  } catch (error) {
    runtime.close()
    throw error
  }
}

const GIT_SETTINGS = '/run/git/settings'

async function viewFor(
  sandbox: Extract<Sandbox, { is: 'bubblewrap' }>,
  wanted: Confine,
  runtime: Runtime,
): Promise<{ view: View; settings: string }> {
  const { env } = wanted
  const from = realpathSync(wanted.worktree ?? wanted.cwd)
  const worktree = { from, at: wanted.at ?? from }
  const home = homeIn(env, worktree)
  const never = neverShown(wanted, worktree)
  const program = programRoots(wanted.argv[0], realHome(env), stateOf(wanted, worktree))
  const lent = lendTo(worktree, wanted.lend, runtime)
  const toolchain = detectToolchain({
    home: realHome(env),
    env,
    // Nothing that detection finds in the place of the worktree is meant: the worktree is there.
    never: [...never, worktree.at, from],
    show: (wanted.show ?? []).map((path) => path.replace(/^~(?=\/|$)/, realHome(env))),
    programs: lent.map(({ from: folder }) => join(folder, 'bin')),
  })
  const binds = wanted.binds?.() ?? []
  mkdirSync(join(runtime.folder, 'git'))
  const git = await privateGit(worktree, join(runtime.folder, 'git'), env)
  const settings = { from: join(runtime.folder, 'git-settings'), at: GIT_SETTINGS }
  writeFileSync(settings.from, await gitSettings(env))
  const shown = toolchain.show.map((path) => ({ from: path, at: path }))
  const writable = (wanted.writable ?? []).filter((path) => existsSync(path)).map(atItsPath)
  const plain = binds.filter(({ isWritable }) => !isWritable)
  const kept = binds.filter(({ isWritable }) => isWritable)
  const view: View = {
    worktree,
    isReadOnly: wanted.isReadOnly ?? false,
    cwd: moved(realpathSync(wanted.cwd), worktree),
    show: [...shown, ...program, ...lent, ...(git?.show ?? []), settings, ...plain],
    writable: [...writable, ...(git?.writable ?? []), ...kept],
    links: toolchain.links,
    hide: masksFor(never, [...shown, ...lent, ...writable, worktree]).filter(
      // What the caller bound by its own name, or put in there, is meant to be there.
      ({ path }) => ![...binds, ...writable].some(({ at }) => at === path),
    ),
    sockets: wanted.sockets ?? [],
    network: wanted.network,
    home,
    proc: sandbox.proc,
    isRoot: process.getuid?.() === 0,
    tmpBytesMax: sandbox.tmpBytesMax,
    unset: [...new Set([...MARKS, ...(wanted.marks ?? [])])],
  }
  return { view, settings: GIT_SETTINGS }
}

const atItsPath = (path: string): Bind => ({ from: realpathSync(path), at: path })

const realHome = (env: Env) => realPath(env.HOME ?? homedir()) ?? env.HOME ?? homedir()

/** The home to cover; null where that would put a mount point into a worktree that has no such folder. */
function homeIn(env: Env, worktree: Bind): string | null {
  const home = env.HOME ?? homedir()
  if (!isAbsolute(home) || home === '/') return null
  if (!isBelow(home, worktree.at) || home === worktree.at) return home
  return existsSync(join(worktree.from, relative(worktree.at, home))) ? home : null
}

const stateOf = ({ lend }: Confine, { from, at }: Bind) =>
  stateFolders([from, at, ...(lend === undefined ? [] : [lend.from])])

function neverShown(wanted: Confine, worktree: Bind): string[] {
  const homes = new Set([realHome(wanted.env), homedir()])
  const secrets = [...homes].flatMap((home) => secretPaths({ ...own, home }))
  const named = (wanted.never ?? []).map((path) => resolve(path))
  const all = [...secrets, ...stateOf(wanted, worktree), ...named]
  return [...new Set(all.flatMap((path) => [path, realPath(path) ?? path]))]
}

/** Packages that the worktree has not got itself. A folder has to be there to mount on. */
function lendTo(worktree: Bind, lend: Confine['lend'], runtime: Runtime): Bind[] {
  if (lend === undefined) return []
  return lend.names.flatMap((name) => {
    const from = realPath(join(lend.from, name))
    if (from === null || !existsSync(join(worktree.from, dirname(name)))) return []
    if (!runtime.mountPoint(join(worktree.from, name))) return []
    return [{ from, at: join(worktree.at, name) }]
  })
}

/** A program that is called by its path, with its packages. Some programs lie beside their own logins. */
function programRoots(program = '', home: string, state: readonly string[]): Bind[] {
  const target = isAbsolute(program) ? realPath(program) : null
  if (target === null) return []
  const roots = new Set([program, target].map((path) => installRoot(path, home)))
  const isFit = (path: string) =>
    path !== '/' && !isBelow(home, path) && !state.some((folder) => isBelow(path, folder))
  return [...roots].filter(isFit).map((path) => ({ from: path, at: path }))
}
