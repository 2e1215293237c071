// The hash of the working tree as it is now, uncommitted changes included.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { childEnv } from './env.ts'

export function treeHash(folder: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'treadle-tree-'))
  try {
    const git = (args: string[], added: Record<string, string> = {}): string => {
      const env = childEnv({ ...added, GIT_OPTIONAL_LOCKS: '0' })
      // Whoever runs our tests has trusted this folder already, also where it belongs to another account.
      return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    }
    const top = git(['rev-parse', '--show-toplevel'])
    const index = join(scratch, 'index')
    const ownIndex = resolve(folder, git(['rev-parse', '--git-path', 'index']))
    // Starting from the real index lets git skip files whose size and time have not changed.
    if (existsSync(ownIndex)) copyFileSync(ownIndex, index)
    // New objects go to the scratch folder, so that looking at a tree never writes into the repository.
    const own = resolve(folder, git(['rev-parse', '--git-path', 'objects']))
    mkdirSync(join(scratch, 'objects'))
    const apart = {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: own,
    }
    git(['-C', top, 'add', '-A'], apart)
    return git(['write-tree'], apart)
  } catch {
    return 'unknown'
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
