// Installs packages of the distribution where that is possible without asking.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { childEnv } from './env.ts'

const MINUTES = 10

/** False: there is no apt-get here, or nobody may use it. Throws if it was used and failed. */
export function installByApt(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  process.stderr.write(`not installed: apt-get install ${packages.join(' ')}\n`)
  const options = {
    stdio: 'ignore',
    timeout: MINUTES * 60_000,
    env: childEnv({ DEBIAN_FRONTEND: 'noninteractive' }),
  } as const
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  return true
}
