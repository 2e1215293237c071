// What the commands of a project are started in: confined where this machine can, the tree in the place of the owner's
// checkout; else in the tree as it lies, with every link back into the checkout turned to it.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mountedPackages } from './borrowed-packages.ts'
import { type Confining, confine, giveAll } from './confine.ts'
import { withoutKeys } from './environment.ts'
import { type Login, loginsOf, NO_LOGINS } from './logins.ts'
import { otherUser, userEnv, userWords } from './other-user.ts'
import { openPackageCache, playedFrom } from './package-cache.ts'
import { isBelow } from './paths.ts'
import { probeSandbox } from './probe.ts'
import { turnLinks } from './turned-links.ts'
import type { Confine, SandboxMode } from './wanted.ts'

export interface SurroundingsOptions {
  readonly mode: SandboxMode
  /** The owner's checkout. */
  readonly owner: string
  /** Shown read-only because the owner wants it; a relative folder starts at the checkout. */
  readonly show: readonly string[]
  /** Services of this machine that commands without the network reach all the same. */
  readonly reach?: readonly string[]
  /** Package managers whose logins an install may read. */
  readonly logins?: readonly Login[]
  /** Another program in the place of bubblewrap. */
  readonly bwrap?: string
}

interface Entering {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly network: boolean
  /** Whether it is the owner's command that installs what the project needs. */
  readonly isSetup?: boolean
  /** False: it brings its own packages, and those of the owner would be in its way, since they are lent read-only. */
  readonly lends?: boolean
  readonly writable: readonly string[]
  /** Variables by which its processes are found from outside, and which it does not get to see. */
  readonly marks: readonly string[]
}

interface Entered {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly shownAt: string
  readonly isConfined: boolean
  close(): void
}

export interface Surroundings {
  /** The path by which commands in a tree know it. */
  shownAt(cwd: string): Promise<string>
  /** Fails with the reason if a sandbox is required and there is none. */
  enter(entering: Entering): Promise<Entered>
}

/** Recorders and reporters of ours, which test runners are told to load. */
const OWN_PROGRAMS = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

export function openSurroundings(options: SurroundingsOptions): Surroundings {
  const owner = realpathSync(options.owner)
  const isConfined = async () =>
    options.mode !== 'off' && otherUser() === null && (await probeSandbox(options.bwrap)).is === 'bubblewrap'
  return {
    shownAt: async (cwd) => ((await isConfined()) ? standIn(owner, realpathSync(cwd)) : cwd),
    enter: async (given) => {
      const entering = given.isSetup ? given : { ...given, env: { ...INSTALL_NOTHING, ...given.env } }
      return (await isConfined()) || options.mode === 'required'
        ? await enterSandbox(options, owner, entering)
        : enterTree(owner, entering)
    },
  }
}

/** `pnpm run` would install first if a tree looks newer than its packages; that is the set-up command's to do. */
const INSTALL_NOTHING = { pnpm_config_verify_deps_before_run: 'false' }

/** A tree of Treadle's stands in the place of the checkout; any other folder where it is. */
function standIn(owner: string, tree: string): string {
  return isTree(owner, tree) ? owner : tree
}

const isTree = (owner: string, tree: string): boolean => tree !== owner && isBelow(tree, owner)

async function enterSandbox(
  options: SurroundingsOptions,
  owner: string,
  entering: Entering,
): Promise<Entered> {
  const entered = await confine(wantedIn(options, owner, entering))
  if (entered.is === 'refused') throw new Error(entered.why)
  const shownAt = standIn(owner, realpathSync(entering.cwd))
  const { argv, env, isConfined } = entered
  return { argv, env, shownAt, isConfined, close: () => entered.close() }
}

/** How a command of the project in the owner's checkout itself would be confined, for people who ask what it sees. */
export function confineAsGate(
  options: SurroundingsOptions,
  { env, network }: Pick<Entering, 'env' | 'network'>,
): Promise<Confining> {
  const owner = realpathSync(options.owner)
  const entering = { command: 'true', cwd: owner, env, network, writable: [], marks: [] }
  return confine({ ...wantedIn(options, owner, entering), hasGit: false })
}

function wantedIn(
  { mode, show, reach = [], logins = [], bwrap = 'bwrap' }: SurroundingsOptions,
  owner: string,
  { command, cwd, env, network, isSetup = false, lends = true, writable, marks }: Entering,
): Confine {
  const tree = realpathSync(cwd)
  const at = standIn(owner, tree)
  // Paths of the tree in what we have put together mean the place where it stands.
  const inside = (text: string): string => (tree === at ? text : text.replaceAll(tree, at))
  // Only an install has the network, and with it the packages that it may fetch.
  const cache = network ? openPackageCache(owner, env) : null
  const shown = isSetup ? loginsOf(logins, env) : NO_LOGINS
  return {
    mode,
    setting: 'sandbox.mode',
    purpose: 'command',
    argv: ['/bin/sh', '-c', inside(command)],
    cwd: tree,
    at,
    network: network ? 'host' : 'own',
    reach,
    env,
    envAdded: {
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inside(value)])),
      ...cache?.env,
      ...shown.env,
    },
    binds: () => shown.binds,
    writable: [...writable, ...(cache === null ? [] : [cache.folder])],
    show: [
      ...[OWN_PROGRAMS, ...(cache === null ? playedFrom(tree, owner, env) : [])],
      ...show.map((path) => (/^~(\/|$)/.test(path) ? path : resolve(owner, path))),
    ],
    marks: [...marks],
    bwrap,
    ...(isTree(owner, tree) && lends ? { lend: { from: owner, names: mountedPackages(owner, tree) } } : {}),
  }
}

/** By the user that the owner has named, if there is one. */
function enterTree(owner: string, { command, cwd, env, writable }: Entering): Entered {
  const tree = realpathSync(cwd)
  const turned = isTree(owner, tree) ? turnLinks(owner, tree).env : {}
  const entered: Entered = {
    argv: ['/bin/sh', '-c', command],
    env: withPaths(env, turned),
    shownAt: cwd,
    isConfined: false,
    close: () => undefined,
  }
  const found = otherUser()
  if (found === null) return entered
  if (found.is === 'refused') throw new Error(found.why)
  giveAll({ cwd, writable }, found.user)
  const theirs = userEnv(found.user, withoutKeys(entered.env))
  return { ...entered, argv: [...userWords(found.user, theirs), ...entered.argv], env: theirs }
}

/** Folders that are searched first, before those that the environment names already. */
function withPaths(
  env: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const joined = Object.entries(more).map(([name, value]) => [
    name,
    [value, env[name]].filter(Boolean).join(':'),
  ])
  return { ...env, ...Object.fromEntries(joined) }
}
