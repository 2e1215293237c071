// The daemon is killed between the messages of a talk, and in the middle of them: nothing that was answered is lost.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { clearWorkspace, startDaemon } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 600_000 })
const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})

const ANSWERS = ['Bakers', 'Bread dries', 'A box', 'Lid\nClock', 'Wood', 'a', 'b', 'c', 'Mice', 'It is fresh']

test('kill -9 of the daemon after every other message, and while one is on its way, loses and doubles nothing', async () => {
  const workspace = makeWorkspace()
  made.push(workspace)
  let daemon = await startDaemon(workspace)
  const again = async () => {
    kill(daemon.pid)
    await waitGone(daemon.pid)
    daemon = await startDaemon(workspace)
  }
  const body = { text: 'A box for bread', engine: 'none', messageId: randomUUID() }
  const { slug } = await daemon.client.startIdea({ body })
  for (const [at, text] of ANSWERS.entries()) {
    const messageId = randomUUID()
    const say = () => daemon.client.sayToIdea({ params: { id: slug }, body: { text, messageId } })
    const first = say().then(
      () => 'answered',
      () => 'lost',
    )
    if (at % 4 !== 1) await first
    if (at % 2 === 1) await again()
    await first
    // Whoever got no answer says it again under the same id.
    const view = await say()
    expect(view.artifacts.length + view.decisions.length + view.risks.length).toBeGreaterThan(at)
  }
  const view = await daemon.client.showIdea({ params: { id: slug }, query: {} })
  expect(view).toMatchObject({ phase: 'COMPLETE', messageCount: 2 + 2 * ANSWERS.length })
  const texts = [...view.artifacts, ...view.decisions, ...view.risks].map(({ text }) => text)
  for (const text of ANSWERS) expect(texts.filter((each) => each === text)).toHaveLength(1)
  expect((await daemon.client.listQuestions({ query: { status: 'open' } })).items).toEqual([])
  // The documents are there without another word, written by the next daemon if that one could not.
  const brief = join(workspace.root, `${view.folder}/planning/brief.md`)
  expect(readFileSync(brief, 'utf8')).toContain('- Lid\n- Clock\n')
  expect(view.documents.every(({ state }) => state === 'written')).toBe(true)
})

test('documents that were kept back while git was busy are written by the next daemon on its own', async () => {
  const workspace = makeWorkspace()
  made.push(workspace)
  workspace.write('.git/MERGE_HEAD', '')
  const daemon = await startDaemon(workspace)
  const { slug } = await daemon.client.startIdea({ body: { text: 'A cage for owls', engine: 'none' } })
  await daemon.client.sayToIdea({ params: { id: slug }, body: { text: 'Owls' } })
  kill(daemon.pid)
  await waitGone(daemon.pid)
  rmSync(join(workspace.root, '.git/MERGE_HEAD'))
  await startDaemon(workspace)
  const file = join(workspace.root, `users/test/ideas/${slug}/target-users.md`)
  const text = await eventually('the document', async () => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return undefined
    }
  })
  expect(text).toContain('Owls')
})
