// Whose the port of the daemon is, before a key is sent to it: engines reach the loopback of this machine, and one of them
// could listen where a daemon has ended.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LOOPBACK = '0100007F'
const LISTENS = '0A'

/** Whether the port of an address on loopback belongs to a process; true also where that cannot be found out. */
export function listensAt(pid: number, url: string): boolean {
  if (process.platform !== 'linux') return true
  const socket = listenerOf(Number(new URL(url).port))
  if (socket === null) return true
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => targetOf(`/proc/${pid}/fd/${fd}`) === socket)
  } catch (error) {
    // A process of another user cannot be looked at; one that is gone listens nowhere.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** The socket that takes calls for a port of this machine's loopback, by the name that it has among open files. */
function listenerOf(port: number): string | null {
  const wanted = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (local === wanted && state === LISTENS) return `socket:[${inode}]`
  }
  return null
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    // It was closed in the meantime.
    return null
  }
}
