// How bubblewrap gets its filter of system calls, which it reads from an open file.
import { closeSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyringFilter } from './keyring-filter.ts'

const FILTER_FD = '9'

const LAST_STANDARD_FD = 2
const CLOSED_ON_START = 0o2000000
let isClosed = false

/** Closes what this process was handed open, by a terminal or an editor that started it: a folder that is open leads out
 *  of every sandbox. What Node opens by itself is closed whenever a program is started. */
function closeInherited(): void {
  if (isClosed || process.platform !== 'linux') return
  isClosed = true
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name)
    if (fd > LAST_STANDARD_FD && isInherited(fd)) closeSync(fd)
  }
}

function isInherited(fd: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & CLOSED_ON_START) === 0
  } catch {
    // It was only open to list the others.
    return false
  }
}

/** The beginning of a command line, so that whoever starts programs needs to know of no open file. Start it from the
 *  main thread: what it confines ends with the thread that started it. */
export function launcher(bwrap: string, folder: string): string[] {
  closeInherited()
  const filter = join(folder, 'filter')
  if (!existsSync(filter)) writeFileSync(filter, keyringFilter())
  // The name of the file is handed over as an argument, so that no character of it means anything to the shell.
  const open = `filter=$1; shift; exec "$@" ${FILTER_FD}<"$filter"`
  return ['/bin/sh', '-c', open, 'sh', filter, bwrap, '--seccomp', FILTER_FD]
}
