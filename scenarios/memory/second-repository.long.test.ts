// The same kind of bug in a second repository: without memory the search gives up, with it the first attempt passes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { announcedDaemon, clearWorkspace, type Daemon, treadle } from '../kit/daemon.ts'
import { told, until } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 240_000 })
const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})

/** More than the search needs with memory, and less than half of what it needs without. */
const CANDIDATES = 60
/** More than the search in the first repository needs. */
const CANDIDATES_FIRST = 150

const FINES = {
  'package.json': '{ "type": "module", "name": "fines" }\n',
  'src/fines.js': `export function total(days, each) {
  return days * each
}

export function owed(days, each, paid) {
  const all = total(days, each)
  return all - paid
}

export function isLate(day, due) {
  return day > due
}
`,
  'test/fines.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLate, owed, total } from '../src/fines.js'

test('what is left is owed', () => {
  assert.equal(owed(3, 20, 10), 50)
  assert.equal(owed(4, 5, 0), 20)
})
test('nobody owes less than nothing', () => {
  assert.equal(owed(1, 20, 50), 0)
  assert.equal(owed(2, 3, 6), 0)
})
test('late is after the day', () => {
  assert.equal(isLate(3, 2), true)
  assert.equal(isLate(2, 2), false)
  assert.equal(total(2, 2), 4)
})
`,
}
const SHELF = {
  'package.json': '{ "type": "module", "name": "shelf" }\n',
  'src/shelf.js': `export class Shelf {
  constructor(places) {
    this.places = places
    this.books = []
  }

  put(book) {
    this.books.push(book)
    return this.books.length
  }

  has(book) {
    return this.books.includes(book)
  }

  free(reserved = 0) {
    const { places, books } = this
    const used = books.length + reserved
    return places - used
  }
}
`,
  'test/shelf.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Shelf } from '../src/shelf.js'

test('a shelf has room', () => {
  const shelf = new Shelf(3)
  assert.equal(shelf.put('a'), 1)
  assert.equal(shelf.free(), 2)
  assert.equal(shelf.free(1), 1)
  assert.equal(shelf.has('a'), true)
  assert.equal(shelf.has('b'), false)
})
test('a full shelf has no room', () => {
  const shelf = new Shelf(1)
  shelf.put('a')
  assert.equal(shelf.free(2), 0)
  assert.equal(shelf.free(5), 0)
  assert.equal(shelf.free(), 0)
})
`,
}

async function crewOn(files: Readonly<Record<string, string>>, maxCandidates: number): Promise<Daemon> {
  const workspace = makeWorkspace({
    files,
    settings: {
      merge: { target: 'main' },
      tests: { command: 'node --test' },
      engines: {
        default: 'repair',
        repair: { budgetSeconds: 120, slowSeconds: 120, maxCandidates },
      },
      limits: { pollMs: 100, sweepMs: 300, improvements: 0 },
    },
  })
  made.push(workspace)
  const up = ['up', '--detach', '--json', '--agents', '1', '--no-trial']
  const { code, stdout, stderr } = await treadle(workspace, up)
  if (code !== 0) throw new Error(stderr)
  return announcedDaemon(workspace, stdout)
}

async function runOf({ client }: Daemon, { number }: Item): Promise<Run> {
  const { runs } = await client.showItem({ params: { projectNumber: 1, issueNumber: number } })
  const last = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1)
  if (last === undefined) throw new Error('no run')
  return last
}

/** How many candidates the search of a run tried, and with which of them all tests were green for the first time. */
async function searched({ client }: Daemon, { id }: Run): Promise<{ tried: number; green: number | null }> {
  const { items } = await client.runHistory({ params: { id } })
  const [search] = items.flatMap(({ event }) =>
    event.type === 'run.observed' && event.observation.tool === 'search' ? [event.observation] : [],
  )
  const green = /first green after (\d+)/.exec(search?.output ?? '')?.[1]
  const tried = Number.parseInt(search?.input ?? '', 10)
  return { tried, green: green === undefined ? null : Number(green) }
}

test('memory carries over to another repository, and leads back to where it comes from', async () => {
  const first = await crewOn(FINES, CANDIDATES_FIRST)
  await first.client.addItem({ body: { title: 'Nobody owes less than nothing' } })
  const origin = await runOf(first, await until(first, 1, 'in_review'))
  const folder = mkdtempSync(join(tmpdir(), 'lessons-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await told(first.workspace, 'lessons', 'export', folder)
  const seen = await eventually('the look back', () =>
    first.client.showRetrospective({ params: { id: origin.id } }).catch(() => undefined),
  )
  expect(seen).toMatchObject({ outcome: 'success', diff: { source: 'git', files: ['src/fines.js'] } })

  const shown = await treadle(first.workspace, ['retrospective', '1'])
  expect(shown.stdout).toContain('passed at the first attempt')
  // The run that lessons of it will name is there to be read, where it was made.
  expect((await treadle(first.workspace, ['history', origin.id])).stdout).toContain(`run ${origin.id}`)
  await clearWorkspace(first.workspace)

  const second = await crewOn(SHELF, CANDIDATES)
  await second.client.addItem({ body: { title: 'A full shelf has no room' } })
  const without = await runOf(second, await until(second, 1, 'escalated'))
  expect(without.outcome).not.toBe('success')

  await told(second.workspace, 'lessons', 'import', folder)
  await second.client.addItem({ body: { title: 'A full shelf has no room' } })
  const solved = await runOf(second, await until(second, 2, 'in_review'))
  expect(solved).toMatchObject({ outcome: 'success', iteration: 0 })
  // Without memory that many candidates were tried in vain; with it the first green one comes much earlier.
  const cold = await searched(second, without)
  expect(cold).toEqual({ tried: CANDIDATES, green: null })
  expect((await searched(second, solved)).green).toBeLessThan(CANDIDATES)
  const { items } = await second.client.runHistory({ params: { id: solved.id } })
  const recalled = items.flatMap(({ event }) => (event.type === 'run.recalled' ? [event] : []))
  const ids = recalled.flatMap((event) => event.shown.map(({ lessonId }) => lessonId))
  expect(recalled.flatMap(({ withheld }) => withheld)).toEqual([])
  const lessons = await Promise.all(
    ids.map(async (id) => (await second.client.showLesson({ params: { id } })).lesson),
  )
  const used = lessons.filter(({ action, type }) => action === 'repair' && type === 'resolution')
  expect(used.length).toBeGreaterThan(0)
  expect(new Set(used.map(({ provenance }) => provenance.runId))).toContain(origin.id)
})
