// Root in somebody else's checkout: goes on as that user, so that nothing there becomes root's, and nothing foreign
// runs as root.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFIG_FILE, STATE_DIR } from '@treadle/contracts/workspace'
import { actAs, givenWorkspace } from './env.ts'
import { paint, tell } from './output.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
/** Commands that make something in the checkout, and say whose it becomes. */
const SAID = new Set(['up', 'init', 'fix'])
/** Commands that have a folder of their own, or none. */
const ELSEWHERE = new Set(['demo', 'help'])

/** Becomes the owner of the checkout that a command speaks of, if root runs it and that is another. */
export function becomeOwner([command = '-']: readonly string[]): void {
  if (process.getuid?.() !== 0 || command.startsWith('-') || ELSEWHERE.has(command)) return
  const root = checkoutAt(resolve(givenWorkspace() ?? process.cwd()))
  const uid = root === null ? 0 : statSync(root).uid
  if (root === null || uid === 0) return
  const owner = accountOf(uid)
  const why = owner === null ? `user ${uid} has no account on this machine` : whyNot(owner, root)
  if (owner === null || why !== null) {
    tell(
      paint(
        'yellow',
        `This checkout belongs to ${owner?.name ?? uid}, and Treadle goes on as root, because ${why}.`,
      ),
    )
    return
  }
  process.setgroups?.(groupsOf(owner))
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
  actAs(owner)
  if (SAID.has(command))
    tell(
      paint(
        'yellow',
        `This checkout belongs to ${owner.name}. Treadle goes on as ${owner.name}, not as root.`,
      ),
    )
}

/** The checkout around a folder; null: there is none. */
function checkoutAt(from: string): string | null {
  if (!existsSync(from)) return null
  for (let at = realpathSync(from); ; at = dirname(at)) {
    if (existsSync(`${at}/.git`) || existsSync(`${at}/${CONFIG_FILE}`)) return at
    if (dirname(at) === at) return null
  }
}

interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

function accountOf(id: number): Account | null {
  try {
    const line = execFileSync('getent', ['passwd', String(id)], { encoding: 'utf8', stdio: 'pipe' })
    const [name = '', , uid, gid, , home = ''] = line.trim().split(':')
    return { name, uid: Number(uid), gid: Number(gid), home }
  } catch {
    return null
  }
}

/** Every group that a user is in. */
function groupsOf({ name, gid }: Account): number[] {
  const listed = spawnSync('id', ['-G', name], { encoding: 'utf8' })
  return listed.status === 0 ? listed.stdout.trim().split(' ').map(Number) : [gid]
}

/** Why this user cannot go on in the place of root; null: it can. */
function whyNot({ name, uid, gid, home }: Account, root: string): string | null {
  if (!existsSync(home)) return `${name} has no home (${home})`
  const state = `${root}/${STATE_DIR}`
  if (existsSync(state) && statSync(state).uid !== uid)
    return `${state} is not ${name}’s: chown -R ${name} ${state}`
  for (const path of [MAIN, root]) {
    const look = ['-e', 'require("node:fs").accessSync(process.argv[1], 4)', path]
    const { status } = spawnSync(process.execPath, look, { uid, gid, cwd: '/', env: {}, stdio: 'ignore' })
    if (status !== 0) return `${name} cannot read ${path}, or not start ${process.execPath}`
  }
  return null
}
