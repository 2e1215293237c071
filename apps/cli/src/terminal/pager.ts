// Long text goes through the reader's pager, as git's does; where nobody looks, it is written as it is.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CliEnv } from '../env.ts'
import { print } from '../output.ts'

/** Shows a text by the pager that git would use, if it is longer than the screen. */
export async function page(text: string, { all }: Pick<CliEnv, 'all'>): Promise<void> {
  const fits = text.split('\n').length < (process.stdout.rows ?? 24)
  const pager = process.stdout.isTTY && process.stdin.isTTY && !fits ? pagerOf(all) : null
  if (pager === null) return print(text)
  const child = spawn('sh', ['-c', pager], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...all },
  })
  const ignore = () => undefined
  // Who has read enough leaves the pager before it has been given everything.
  child.stdin.on('error', ignore)
  child.stdin.end(`${text}\n`)
  process.on('SIGINT', ignore)
  const [code] = await once(child, 'close').finally(() => process.removeListener('SIGINT', ignore))
  // The shell did not find it.
  if (code === 127) print(text)
}

function pagerOf(all: CliEnv['all']): string | null {
  try {
    const pager = execFileSync('git', ['var', 'GIT_PAGER'], { encoding: 'utf8', env: { ...all } }).trim()
    return pager === '' || pager === 'cat' ? null : pager
  } catch {
    return null
  }
}
