// `treadle survey` in a repository that nobody has set up: findings with a measure that turns when they are put right.

import { SurveyReport } from '@treadle/contracts/survey'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../kit/command.ts'
import { clearWorkspace } from '../kit/daemon.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const FILES = {
  'package.json': JSON.stringify({
    name: 'sample',
    scripts: { test: 'node --test' },
    dependencies: { 'left-pad': '1.0.0' },
  }),
  'index.mjs': 'export const read = () => { try { return open() } catch {} }\n',
  'README.md': '```sh\nnpm run tset\n```\n',
  'src/it.mjs': "import { that } from './that.mjs'\nexport const it = () => that\n",
  'src/that.mjs': "import { it } from './it.mjs'\nexport const that = () => it\n",
}

function sample() {
  const workspace = makeWorkspace({ files: FILES })
  onTestFinished(() => clearWorkspace(workspace))
  return workspace
}

test('findings name what they are about, where, and a command that turns when it is put right; no daemon is started', async () => {
  const workspace = sample()
  const { code, stdout, stderr } = await run(workspace, ['survey', '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { findings, skipped } = SurveyReport.parse(JSON.parse(stdout))
  expect(findings.map(({ category, key }) => [category, key])).toEqual([
    ['architecture', 'import-cycle:src/it.mjs:2'],
    ['documentation', 'document-command:README.md:npm run tset'],
    ['dependency-management', 'unused-dependency:left-pad'],
    ['error-handling-resilience', 'empty-catch:index.mjs'],
  ])
  expect(skipped).toContainEqual({
    category: 'innovation',
    survey: null,
    part: false,
    why: 'needs a model: no program looks for it',
  })
  const finding = findings.find(({ key }) => key === 'unused-dependency:left-pad')
  expect(finding).toMatchObject({ files: ['package.json'], mendable: true })
  const measure = ['survey', 'dependency-management', '--finding', 'unused-dependency:left-pad']
  expect(finding?.measure).toEqual({
    command: `treadle ${measure.slice(0, 3).join(' ')} '${measure[3]}'`,
    before: 1,
  })
  const before = await run(workspace, measure)
  expect(before).toMatchObject({ code: 1 })
  expect(before.stdout).toContain('left-pad is a dependency that nothing uses')
  workspace.write('package.json', JSON.stringify({ name: 'sample' }))
  expect(await run(workspace, measure)).toMatchObject({
    code: 0,
    stdout: 'unused-dependency:left-pad is not there.\n',
  })
})

test('one category is looked at alone, in words; one that does not exist is refused with those that do', async () => {
  const workspace = sample()
  const words = await run(workspace, ['survey', 'error-handling-resilience'])
  expect(words.code).toBe(0)
  expect(words.stdout).toContain('index.mjs:1 in read: an empty catch')
  expect(words.stdout).toContain('1 finding in 1 category')
  expect(words.stdout).not.toContain('left-pad')
  const wrong = await run(workspace, ['survey', 'speed'])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('speed')
  expect(wrong.stderr).toContain('dependency-management')
  const model = await run(workspace, ['survey', 'innovation'])
  expect(model.stdout).toContain('Need a model: innovation')
})
