// Whether anything can be confined on this machine, and if not, why and what to do about it.
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir, totalmem } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { env } from './env.ts'
import { launcher } from './launch.ts'
import { Runtime } from './runtime.ts'
import { detectToolchain } from './toolchain.ts'
import { bubblewrapArgs, type View } from './view.ts'

export type Sandbox =
  | {
      readonly is: 'bubblewrap'
      /** The program's own path: a search in PATH inside a worktree could find another. */
      readonly bwrap: string
      /** Outer: a fresh /proc is refused, as in many containers; processes outside are listed in it. */
      readonly proc: View['proc']
      readonly tmpBytesMax: number | null
    }
  | { readonly is: 'none'; readonly why: string; readonly hint: string }

const PROBE_MS = 20_000
const INSTALL = 'apt-get install bubblewrap'
const TMP_BYTES_MAX = 4 * 2 ** 30
const NO_CAPABILITIES = /^0+$/
// Reads by the shell's own means and writes, as everything that is confined will.
const TRY = `while read -r name value; do [ "$name" = CapEff: ] && echo "$value"; done < /proc/self/status; : > /tmp/a`

const probed = new Map<string, Promise<Sandbox>>()

/** Tries what will be used, once for this process: to be installed is not to be allowed. */
export function probeSandbox(bwrap = 'bwrap'): Promise<Sandbox> {
  const known = probed.get(bwrap) ?? probe(bwrap)
  probed.set(bwrap, known)
  return known
}

async function probe(name: string): Promise<Sandbox> {
  if (process.platform !== 'linux')
    return {
      is: 'none',
      why: `bubblewrap is not for ${process.platform}`,
      hint: 'run it in a Linux container',
    }
  const bwrap = findProgram(name)
  if (bwrap === null) return { is: 'none', why: 'bubblewrap is not installed', hint: INSTALL }
  const version = await versionOf(bwrap)
  if (version < 5)
    return { is: 'none', why: 'bubblewrap is older than 0.5', hint: 'install a newer bubblewrap' }
  // The size of a temporary folder can be bounded since 0.7.
  const tmpBytesMax = version < 7 ? null : Math.min(TMP_BYTES_MAX, Math.floor(totalmem() / 2))
  let stderr = ''
  for (const proc of ['fresh', 'outer'] as const) {
    const tried = await tryOut({ is: 'bubblewrap', bwrap, proc, tmpBytesMax })
    if (tried.is === 'bubblewrap') return tried
    if (tried.why === CAPABLE) return tried
    stderr ||= tried.why
  }
  return { is: 'none', ...explainRefusal(stderr, factsOfMachine()) }
}

const CAPABLE = 'bubblewrap leaves capabilities to what it confines'

async function tryOut(sandbox: Extract<Sandbox, { is: 'bubblewrap' }>): Promise<Sandbox> {
  const runtime = new Runtime()
  try {
    const worktree = { from: runtime.folder, at: runtime.folder }
    const machine = { home: homedir(), env: { PATH: env.path }, never: [], show: [], programs: [] }
    const { show, links } = detectToolchain(machine)
    const view: View = {
      worktree,
      isReadOnly: false,
      cwd: worktree.at,
      empty: [],
      show: show.map((path) => ({ from: path, at: path })),
      writable: [],
      links,
      hide: [],
      sockets: [],
      network: 'own',
      home: homedir() === '/' ? null : homedir(),
      proc: sandbox.proc,
      isRoot: process.getuid?.() === 0,
      tmpBytesMax: sandbox.tmpBytesMax,
      unset: [],
    }
    const before = launcher(sandbox.bwrap, runtime.folder)
    const [program = '', ...args] = [...before, ...bubblewrapArgs(view), '/bin/sh', '-c', TRY]
    const { stdout } = await promisify(execFile)(program, args, { timeout: PROBE_MS })
    if (NO_CAPABILITIES.test(stdout.trim())) return sandbox
    return { is: 'none', why: CAPABLE, hint: 'install a newer bubblewrap' }
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    return { is: 'none', why: stderr.trim().split('\n').at(-1) || String(error), hint: '' }
  } finally {
    runtime.close()
  }
}

/** The second number of a version such as 0.8.0; those from 1 on count as new. */
async function versionOf(bwrap: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(bwrap, ['--version'], { timeout: PROBE_MS })
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? []
    return Number(major) > 0 ? Number.POSITIVE_INFINITY : Number(minor)
  } catch {
    // It will say when it is tried why it cannot be started.
    return Number.POSITIVE_INFINITY
  }
}

function findProgram(name: string): string | null {
  if (isAbsolute(name)) return existsSync(name) ? name : null
  const paths = env.path.split(delimiter).filter((folder) => isAbsolute(folder))
  return paths.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

interface MachineFacts {
  /** Contents of switches of the kernel; null where there is no such switch. */
  readonly usernsClone: string | null
  readonly maxUserNamespaces: string | null
  readonly appArmorRestricts: string | null
  readonly isContainer: boolean
}

const APPARMOR =
  'install the AppArmor profile bwrap-userns-restrict (package apparmor-profiles), or: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'

/** What bubblewrap said, as a reason and what to do. */
export function explainRefusal(said: string, facts: MachineFacts): { why: string; hint: string } {
  if (facts.isContainer && /namespace|Operation not permitted/i.test(said))
    return {
      why: `this container allows no namespaces (${said})`,
      hint: 'start it with --security-opt seccomp=unconfined, or take the container itself for the sandbox',
    }
  if (facts.appArmorRestricts === '1' && /uid map|RTM_NEWADDR|Permission denied/.test(said))
    return { why: `AppArmor forbids user namespaces here, as on Ubuntu (${said})`, hint: APPARMOR }
  if (facts.usernsClone === '0')
    return {
      why: `user namespaces are forbidden here (${said})`,
      hint: 'sysctl -w kernel.unprivileged_userns_clone=1',
    }
  if (facts.maxUserNamespaces === '0')
    return {
      why: `user namespaces are forbidden here (${said})`,
      hint: 'sysctl -w user.max_user_namespaces=15000',
    }
  return { why: `bubblewrap does not work here: ${said}`, hint: 'allow user namespaces' }
}

function factsOfMachine(): MachineFacts {
  const read = (name: string) => {
    try {
      return readFileSync(`/proc/sys/${name}`, 'utf8').trim()
    } catch {
      return null
    }
  }
  return {
    usernsClone: read('kernel/unprivileged_userns_clone'),
    maxUserNamespaces: read('user/max_user_namespaces'),
    appArmorRestricts: read('kernel/apparmor_restrict_unprivileged_userns'),
    isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  }
}
