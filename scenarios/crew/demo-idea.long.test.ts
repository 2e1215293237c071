// From a sentence to merged code as anyone would first see it: the documents, the tasks and the merge are the product's,
// the receipt is executed again in another clone, and another sentence gives other documents.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspacePaths } from '@treadle/contracts/workspace'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ideaFiles } from '../../apps/cli/src/demo/idea-script.ts'
import { cleanEnv } from '../env.ts'
import { run } from '../kit/command.ts'
import { clearWorkspace } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
afterAll(() => clearWorkspace(place))

const Shown = z.looseObject({
  model: z.string(),
  ok: z.boolean(),
  why: z.string().nullable(),
  slug: z.string(),
  documents: z.array(z.string()),
  branch: z.string(),
  tasks: z.array(z.looseObject({ file: z.string(), status: z.string(), mergeCommit: z.string().nullable() })),
  mergeCommit: z.string(),
  verify: z.looseObject({ command: z.string(), verdict: z.string() }),
})

test('a sentence becomes documents, tasks, merged code and a receipt that holds in another clone', {
  timeout: 1_200_000,
}, async () => {
  const text = 'A tip calculator that splits a bill'
  const root = join(place.home, 'demo')
  const args = ['demo', '--idea', text, '--headless', '--json', '--dir', root]
  const ended = await run(place, args)
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stderr).toContain('A script plays the model')
  const shown = Shown.parse(JSON.parse(ended.stdout))
  expect(shown).toMatchObject({ ok: true, why: null, model: 'played by a script' })
  expect(shown.verify.verdict).toBe('yes')
  expect(everythingIn({ ...place, root, paths: workspacePaths(root) })).toEqual([])

  const files = Object.keys(ideaFiles(text))
  expect(shown.tasks.map(({ file }) => file)).toEqual(files)
  const git = (...given: string[]) =>
    execFileSync('git', given, { cwd: root, env: cleanEnv(place.home), encoding: 'utf8' }).trim()
  for (const { status, mergeCommit } of shown.tasks) {
    expect(status).toBe('complete')
    git('merge-base', '--is-ancestor', mergeCommit ?? '', shown.branch)
  }
  git('merge-base', '--is-ancestor', shown.mergeCommit, 'main')
  for (const path of shown.documents) expect(existsSync(join(root, path)), path).toBe(true)
  const brief = readFileSync(
    join(root, shown.documents.find((path) => path.endsWith('brief.md')) ?? ''),
    'utf8',
  )
  expect(brief).toContain('**Split an amount**')
  expect(brief).not.toContain('shopping')

  const stranger = { root: join(place.home, 'clone'), home: place.home }
  git('clone', '-q', root, stranger.root)
  const verified = await run(stranger, ['verify', shown.mergeCommit, '--json'])
  expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: 'yes' })
})
