import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changesBetween, configState } from './config-watch.ts'
import { makeScratch } from './scratch-repository.ts'

test('what could run or redirect something is told by its name, and what people set in passing is not', async () => {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const { sh, write, repository } = scratch
  sh('git remote add origin /somewhere; git config alias.st status')
  const before = await configState(scratch)
  sh('git config branch.main.description words; git config user.name N; git config pull.rebase true')
  expect(changesBetween(before, await configState(scratch))).toEqual([])
  sh(
    'git config filter.x.clean "touch /x"; git config remote.origin.url /elsewhere; git config --unset alias.st',
  )
  write(join(repository, '.git/hooks/post-checkout'), '#!/bin/sh\n')
  write(join(repository, '.git/info/attributes'), '* filter=x\n')
  expect(changesBetween(before, await configState(scratch))).toEqual([
    'alias.st was removed',
    'filter.x.clean was added',
    'hooks/post-checkout was added',
    'info/attributes was added',
    'remote.origin.url was changed',
  ])
  expect(JSON.stringify(await configState(scratch))).not.toContain('touch')
})
