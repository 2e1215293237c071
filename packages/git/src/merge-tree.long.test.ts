import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch } from './scratch-repository.ts'

const line = fc.constantFrom('a', 'b', 'c')
const content = fc.array(line, { maxLength: 8 }).map((lines) => lines.map((each) => `${each}\n`).join(''))
const edit = fc.dictionary(fc.constantFrom('f', 'g', 'd/h'), fc.option(content, { nil: null }), {
  maxKeys: 3,
})

test('the dry run says what git merge says in a clone that is thrown away', async () => {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const world = { ...scratch, git: openMergeGit(scratch) }
  const clone = join(world.dir, 'clone')
  world.sh(`git clone -q --no-hardlinks '${world.repository}' '${clone}'`)
  await fc.assert(
    fc.asyncProperty(edit, edit, edit, async (base, one, other) => {
      const from = commitOn(world, 'main', base)
      const [a, b] = [commitOn(world, from, one), commitOn(world, from, other)]
      const said = world.sh(
        `git fetch -q origin ${a} ${b}; git checkout -q --detach ${a}
         if git merge -q --no-commit --no-ff ${b} >/dev/null 2>&1; then git write-tree
         else git ls-files -u | cut -f2 | sort -u; fi; git reset -q --hard; git clean -fdq`,
        clone,
      )
      const dry = await world.git.dryRun(a, b)
      if (dry.is === 'conflicted') expect(said.trim().split('\n')).toEqual(dry.files)
      else {
        const merged = await world.git.prepareMerge({ target: a, head: b, message: 'm' })
        if (merged.is !== 'prepared') throw new Error('clean and yet conflicted')
        expect(said.trim()).toBe(world.sh(`git rev-parse ${merged.commit}^{tree}`).trim())
      }
    }),
    { numRuns: 25 },
  )
})
