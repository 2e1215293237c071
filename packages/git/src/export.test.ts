import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportFiles } from './export.ts'
import { makeScratch } from './scratch-repository.ts'

test.each(['checkout', 'bare'] as const)(
  'the files of a commit of a %s repository, without a way back to it',
  async (kind) => {
    const scratch = makeScratch(kind)
    const { repository, env, sh, dir } = scratch
    try {
      if (kind === 'checkout') sh('echo staged > b.txt; git add b.txt; echo more >> a.txt')
      const before = sh('git for-each-ref; git rev-parse HEAD')
      const stands = kind === 'checkout' ? sh('git status --porcelain') : ''
      const folder = join(dir, 'copy')
      mkdirSync(folder)
      await exportFiles({ repository, env }, 'main', folder)
      expect(sh('ls -A', folder).trim().split('\n').sort()).toEqual(['.gitignore', 'README', 'a.txt'])
      expect(sh('cat a.txt', folder)).toBe('one\ntwo\nthree\n')
      expect(() => sh('GIT_CEILING_DIRECTORIES=.. git status', folder)).toThrow()
      expect(sh('git for-each-ref; git rev-parse HEAD')).toBe(before)
      if (kind === 'checkout') expect(sh('git status --porcelain')).toBe(stands)
    } finally {
      scratch.remove()
    }
  },
)
