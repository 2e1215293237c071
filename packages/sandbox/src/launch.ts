// How bubblewrap gets its filter of system calls, which it reads from an open file.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyringFilter } from './keyring-filter.ts'

const FILTER_FD = '9'

/** The beginning of a command line, so that whoever starts programs needs to know of no open file. Start it from the
 *  main thread: what it confines ends with the thread that started it. */
export function launcher(bwrap: string, folder: string): string[] {
  const filter = join(folder, 'filter')
  if (!existsSync(filter)) writeFileSync(filter, keyringFilter())
  // The name of the file is handed over as an argument, so that no character of it means anything to the shell.
  const open = `filter=$1; shift; exec "$@" ${FILTER_FD}<"$filter"`
  return ['/bin/sh', '-c', open, 'sh', filter, bwrap, '--seccomp', FILTER_FD]
}
