// A conflict settled over the API: refused if a side has moved or something is open; else committed, tested and merged.
import type { Conflict } from '@treadle/contracts/conflict'
import type { PlaceChoice, Settlement } from '@treadle/contracts/conflict-parts'
import type { Item } from '@treadle/contracts/item'
import { expect, test, vi } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { approve, begin, build, commitOnBranch, delivery, itemOf, say, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 300_000 })
const text = (name: string, last: string) =>
  `{\n  "name": "${name}",\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "z": "${last}"\n}\n`

const open = useInProcess('any', {
  files: { 'package.json': text('start', 'start') },
  settings: { merge: { target: 'main' }, limits: { pollMs: 100, sweepMs: 300 } },
})

/** The first item is merged, the others conflict with it. */
async function conflicts(daemon: Daemon, count: number): Promise<{ works: Work[]; found: Conflict[] }> {
  const works: Work[] = []
  const heads: string[] = []
  for (let n = 0; n <= count; n += 1) {
    const work = await begin(daemon, { title: `Rename it ${n}` })
    works.push(work)
    const files = { 'package.json': n === 0 ? text('of-0', 'of-0') : text(`of-${n}`, 'start') }
    heads.push(commitOnBranch(daemon.workspace, work, files))
  }
  for (const [at, work] of works.entries()) {
    await build(work, heads[at])
    await say(work, delivery(work, heads[at] ?? ''))
    await approve(work)
    await reaches(work, at === 0 ? 'done' : 'conflicted')
  }
  return { works, found: (await daemon.client.conflictQueue()).items }
}

function reaches(work: Work, state: Item['state']): Promise<Item> {
  return eventually(`#${work.ref.number} ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })
}

test('a side that has moved, or a place that is open, is refused and nothing is committed; else it is merged', async (context) => {
  const daemon = await open(context)
  const { works, found } = await conflicts(daemon, 2)
  const { client, workspace } = daemon
  const { git } = workspace
  const [one, other] = found
  if (one === undefined || other === undefined) throw new Error('two conflict')
  const params = { id: one.id }
  const read = async (choice: PlaceChoice | null): Promise<Settlement> => {
    const { target, branch, files } = await client.conflictParts({ params })
    expect(files.map(({ is, path }) => [is, path])).toEqual([['text', 'package.json']])
    return {
      target: target.commit,
      branch: branch.commit,
      files: [{ is: 'text', file: 0, places: [choice] }],
    }
  }
  const refusal = (body: Settlement) =>
    client.settleConflict({ params, body }).then(
      () => 'settled',
      (error: Error & { status?: number }) => `${error.status} ${error.message}`,
    )
  const before = git('rev-parse', one.branchName)
  expect(await refusal(await read(null))).toMatch(/^409 .*place 1 of 1 in package.json is not decided/)
  const early = await read({ is: 'branch' })
  expect(await refusal({ ...early, branch: early.target })).toMatch(/^409 .*has moved since you looked/)
  workspace.write('other.txt', 'of somebody else\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'somebody else')
  expect(await refusal(early)).toMatch(/^409 main has moved since you looked/)
  expect(git('rev-parse', one.branchName)).toBe(before)
  expect((await client.conflictQueue()).items.map(({ id }) => id)).toEqual([one.id, other.id])

  await client.settleConflict({ params, body: await read({ is: 'branch' }) })
  const item = await reaches(works[1] as Work, 'done')
  expect(item.headCommit).toBe(git('rev-parse', one.branchName))
  // The delivery won where both changed the same; everything else of the target is there.
  expect(`${git('show', 'main:package.json')}\n`).toBe(text('of-1', 'of-0'))
  expect(git('show', 'main:other.txt')).toBe('of somebody else')
  expect(git('merge-base', before, one.branchName)).toBe(before)

  // Given back with words, the next agent is told them.
  await client.abortConflict({ params: { id: other.id }, body: { words: 'Keep both names.' } })
  expect(await itemOf(works[2] as Work)).toMatchObject({
    state: 'backlog',
    reason: 'Keep both names.',
    needsRework: true,
    sentBackBy: 'person',
  })
})
