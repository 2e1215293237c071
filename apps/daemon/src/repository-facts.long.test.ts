import { makeScratch } from '@treadle/git/scratch-repository'
import { expectWithin, timed } from '@treadle/requirements/within'
import { expect, onTestFinished, test } from 'vitest'
import { readRepositoryFacts } from './repository-facts.ts'

test('the facts of a repository with 60,000 files, 2,000 commits and 100 manifests are read within a second', async () => {
  const world = makeScratch('empty')
  onTestFinished(world.remove)
  // A stream for git fast-import, made by awk: writing so many files to the disk would take minutes.
  world.sh(`
    awk 'BEGIN {
      text = "{\\"dependencies\\":{\\"react\\":\\"19\\"}}"
      print "blob\\nmark :1\\ndata " length(text) "\\n" text
      for (c = 1; c <= 2000; c++) {
        subject = "change " c
        print "commit refs/heads/main\\ncommitter U <u@x> " 1700000000 + c " +0000\\ndata " length(subject) "\\n" subject
        for (f = 1; f <= 30; f++) print "M 100644 :1 src/m" c "/file" f ".ts"
        if (c % 20 == 0) print "M 100644 :1 src/m" c "/package.json"
        print ""
      }
    }' | git fast-import --quiet
    git symbolic-ref HEAD refs/heads/main`)
  await expectWithin(1_000, () =>
    timed(async () => {
      const facts = await readRepositoryFacts(world, 'main')
      expect(facts.commits[0]).toBe('change 2000')
      expect(facts.commits).toHaveLength(10)
      expect(facts).toMatchObject({ languages: [{ name: 'TypeScript', share: 1 }], frameworks: ['React'] })
    }),
  )
})
