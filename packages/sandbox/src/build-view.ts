// What is visible inside, worked out from what is wanted and what this machine has.
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { STATE_DIR } from '@treadle/contracts/workspace'
import { isOfLinks } from './borrowed-packages.ts'
import { env as own } from './env.ts'
import { MARKS } from './environment.ts'
import { canHold } from './lend.ts'
import { isBelow, kindOf, moved, realPath } from './paths.ts'
import { isTurned, turnPlugNPlay } from './plug-n-play.ts'
import { gitSettings, type PrivateGit, privateGit, replaceGit } from './private-git.ts'
import type { Sandbox } from './probe.ts'
import type { Runtime } from './runtime.ts'
import { masksFor, secretPaths, secretsIn, stateFolders } from './secrets.ts'
import { scratchIn } from './tool-scratch.ts'
import { detectToolchain, installRoot } from './toolchain.ts'
import type { Bind, View } from './view.ts'
import type { Confine } from './wanted.ts'

/** Where git inside finds the harmless part of the user's settings. */
export const GIT_SETTINGS = '/run/git/settings'

type Env = Confine['env']

interface Built {
  readonly view: View
  refresh(): Promise<void>
}

interface Parts {
  readonly runtime: Runtime
  /** Sockets that are passed in. */
  readonly sockets: readonly Bind[]
}

export async function buildView(
  sandbox: Extract<Sandbox, { is: 'bubblewrap' }>,
  wanted: Confine,
  { runtime, sockets: asked }: Parts,
): Promise<Built> {
  const { env, mirror } = wanted
  const from = realpathSync(wanted.worktree ?? wanted.cwd)
  const worktree = { from, at: wanted.at ?? from }
  const second = mirror === undefined ? [] : [{ from, at: mirror.at }]
  const never = neverShown(wanted, worktree)
  const lent = [...lendTo(worktree, wanted.lend, runtime), ...mirrored(worktree, mirror, runtime)]
  const toolchain = detectToolchain({
    home: realHome(env),
    env,
    // Nothing that detection finds in the place of the worktree is meant: the worktree is there.
    never: [...never, worktree.at, from, ...second.map(({ at }) => at)],
    show: (wanted.show ?? []).map((path) => path.replace(/^~(?=\/|$)/, realHome(env))),
    programs: lent.map(({ from: folder }) => join(folder, 'bin')),
  })
  const binds = wanted.binds?.() ?? []
  const git = await openGit(worktree, wanted, runtime)
  // By what a link leads to, or else the secrets in there would not be known for that.
  const shown = toolchain.show.map((path) => ({ from: realPath(path) ?? path, at: path }))
  const program = programRoots(wanted, stateOf(wanted, worktree))
  const writable = (wanted.writable ?? []).filter((path) => existsSync(path)).map(atItsPath)
  // An agent of keys is no service, whatever the settings say.
  const sockets = asked.filter(({ from: socket }) => !never.some((path) => isBelow(socket, path)))
  makePoints([...binds, ...writable, ...sockets], [worktree, ...second], runtime)
  const empty = [...second.map(({ at }) => join(at, STATE_DIR)), ...scratchIn(lent)]
  const meant = [...[...binds, ...writable].map(({ at }) => at), ...empty]
  const view: View = {
    worktree,
    isReadOnly: wanted.isReadOnly ?? false,
    cwd: moved(realpathSync(wanted.cwd), worktree),
    empty,
    show: [
      ...[...shown, ...second, ...program, ...lent, ...git.show],
      ...binds.filter(({ isWritable }) => !isWritable),
    ],
    writable: [...writable, ...git.writable, ...binds.filter(({ isWritable }) => isWritable)],
    links: toolchain.links,
    hide: masksFor(
      [...never, ...secretsIn(shown.map(({ from }) => from))],
      [...shown, ...second, ...lent, ...writable, worktree],
    ).filter(
      // What the caller bound by its own name is meant to be there.
      ({ path }) => !meant.includes(path),
    ),
    sockets,
    network: wanted.network,
    home: homeIn(env, worktree),
    proc: sandbox.proc,
    isRoot: process.getuid?.() === 0,
    tmpBytesMax: sandbox.tmpBytesMax,
    unset: [...new Set([...MARKS, ...(wanted.marks ?? [])])],
  }
  return { view, refresh: git.refresh }
}

interface OpenedGit extends PrivateGit {
  refresh(): Promise<void>
}

async function openGit(
  worktree: Bind,
  { env, hasGit = true }: Confine,
  runtime: Runtime,
): Promise<OpenedGit> {
  const settings = { from: join(runtime.folder, 'git-settings'), at: GIT_SETTINGS }
  writeFileSync(settings.from, await gitSettings(env))
  const folder = join(runtime.folder, 'git')
  mkdirSync(folder)
  const found = hasGit ? await privateGit(worktree, folder, env) : null
  if (found === null) return { show: [settings], writable: [], refresh: async () => undefined }
  let times = 0
  const refresh = async () => {
    times += 1
    const fresh = join(runtime.folder, `git-${times}`)
    mkdirSync(fresh)
    await privateGit(worktree, fresh, env)
    replaceGit(folder, fresh)
  }
  return { show: [...found.show, settings], writable: found.writable, refresh }
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

const stateOf = ({ lend, mirror }: Confine, { from, at }: Bind) =>
  stateFolders([from, at, ...(lend === undefined ? [] : [lend.from]), ...(mirror ? [mirror.at] : [])])

function neverShown(wanted: Confine, worktree: Bind): string[] {
  const homes = new Set([realHome(wanted.env), homedir()])
  const secrets = [...homes].flatMap((home) => secretPaths({ ...own, home }))
  // The ssh agent of the user may be anywhere, and to be connected to it is to have his keys.
  const agents = [wanted.env.SSH_AUTH_SOCK, own.sshAgent].filter((path) => path !== undefined)
  const named = [...(wanted.never ?? []), ...agents].map((path) => resolve(path))
  const all = [...secrets, ...stateOf(wanted, worktree), ...named]
  return [...new Set(all.flatMap((path) => [path, realPath(path) ?? path]))]
}

/** Packages that the worktree has not got itself. A folder has to be there to mount on. */
function lendTo(worktree: Bind, lend: Confine['lend'], runtime: Runtime): Bind[] {
  if (lend === undefined) return []
  return lend.names.flatMap((name) => {
    const from = realPath(join(lend.from, name))
    if (from === null || !canHold(worktree.from, name)) return []
    const point = join(worktree.from, name)
    // What was turned while there was no sandbox means another place; it is covered.
    const isTurnedFolder = () => isOfLinks({ owner: lend.from, tree: worktree.from }, name)
    const isPoint =
      kindOf(from) === 'file' ? isFilePoint(point, runtime) : runtime.mountPoint(point) || isTurnedFolder()
    if (!isPoint) return []
    return [{ from, at: join(worktree.at, name) }]
  })
}

function isFilePoint(point: string, runtime: Runtime): boolean {
  mkdirSync(dirname(point), { recursive: true })
  return runtime.mountPoint(point, 'file') || (kindOf(point) === 'file' && isTurned(point))
}

/** The owner's packages in the second place of the worktree, and an empty folder where the first place is. */
function mirrored(worktree: Bind, mirror: Confine['mirror'], runtime: Runtime): Bind[] {
  if (mirror === undefined) return []
  runtime.mountPoint(join(worktree.from, STATE_DIR))
  return mirror.names.flatMap((name) => {
    const from = realPath(join(mirror.at, name))
    if (from === null || !canHold(worktree.from, name)) return []
    const point = join(worktree.from, name)
    // At its own path the worktree needs a copy that means it; an engine that installs puts its own there.
    if (kindOf(from) === 'file') {
      mkdirSync(dirname(point), { recursive: true })
      turnPlugNPlay({ owner: mirror.at, tree: worktree.from, at: worktree.at }, name)
      return isTurned(point) ? [{ from, at: join(mirror.at, name) }] : []
    }
    // Packages of the worktree's own stand beside the owner's, and are found first.
    if (!runtime.mountPoint(point) && kindOf(point) !== 'folder') return []
    return [{ from, at: join(mirror.at, name) }]
  })
}

/** What is bound inside the worktree needs something there to stand on. */
function makePoints(binds: readonly Bind[], places: readonly Bind[], runtime: Runtime): void {
  for (const bind of binds)
    for (const { from, at } of places) {
      const path = join(from, relative(at, bind.at))
      const isInside = isBelow(bind.at, at) && !isBelow(bind.at, join(at, STATE_DIR))
      if (!isInside || existsSync(path)) continue
      if (kindOf(bind.from) === 'folder') runtime.mountPoint(path)
      else if (existsSync(dirname(path))) runtime.mountPoint(path, 'file')
    }
}

/** A program that is called by its path, with its packages. Some programs lie beside their own logins. */
function programRoots({ argv: [program = ''], env }: Confine, state: readonly string[]): Bind[] {
  const target = isAbsolute(program) ? realPath(program) : null
  if (target === null) return []
  const home = realHome(env)
  const isFit = (path: string) =>
    path !== '/' && !isBelow(home, path) && !state.some((folder) => isBelow(path, folder))
  const roots = [program, target].map((path) => {
    const root = installRoot(path, home)
    return isFit(root) ? root : path
  })
  return [...new Set(roots)].map((path) => ({ from: path, at: path }))
}
