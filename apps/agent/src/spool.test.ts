import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@treadle/flow/ports/clock'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSpool, type Sent, type Spool, type SpoolEntry } from './spool.ts'

let folder: string
let file: string
const open: Spool[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
  file = join(folder, 'deep', 'agent-1.spool')
})
afterEach(async () => {
  for (const spool of open.splice(0)) await spool.close().catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
})

const RUN = '0199b1f0-0000-7000-8000-000000000001'
const entry = (n: number, summary = `step ${n}`): SpoolEntry => ({
  eventId: `event-${String(n).padStart(5, '0')}`,
  runId: RUN,
  fence: 3,
  event: { type: 'build.finished', summary, checkpoint: 'a'.repeat(40) },
  at: '2026-11-15T10:00:00.000Z',
})
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => entry(from + n).eventId)

const realClock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
}

interface SpoolParts {
  readonly send?: (entry: SpoolEntry) => Promise<Sent>
  readonly clock?: Clock
}

/** A spool whose daemon takes everything, unless told otherwise. */
async function make({ send, clock = realClock }: SpoolParts = {}) {
  const sent: string[] = []
  const rejected: string[] = []
  const logged: string[] = []
  const spool = await openSpool({
    file,
    clock,
    log: (line) => logged.push(line),
    onRejected: (lost, why) => rejected.push(`${lost.eventId}: ${why}`),
    send: async (next) => {
      const answer = (await send?.(next)) ?? { is: 'accepted' }
      sent.push(next.eventId)
      return answer
    },
  })
  open.push(spool)
  return { spool, sent, rejected, logged }
}

test('entries are sent once each, in order, as they were given', async () => {
  const got: SpoolEntry[] = []
  const { spool } = await make({
    send: async (next) => {
      got.push(next)
      return { is: 'accepted' }
    },
  })
  const given = [entry(1), entry(2, 'line\nbreak ünï ✓'), entry(3)]
  await Promise.all(given.map((one) => spool.append(one)))
  expect(spool.pending()).toBe(3)
  expect(await spool.flush()).toEqual({ is: 'drained' })
  expect(got).toEqual(given)
  expect(spool.pending()).toBe(0)
  expect(await spool.flush()).toEqual({ is: 'drained' })
  expect(got).toHaveLength(3)
})

test('an entry is in the file when append resolves', async () => {
  const { spool } = await make()
  await spool.append(entry(1))
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(entry(1))}\n`)
})

test('a restart sends what was not acknowledged, and only that', async () => {
  let taken = 0
  const first = await make({
    send: async () => {
      taken += 1
      return taken > 2 ? { is: 'unreachable', why: 'away' } : { is: 'accepted' }
    },
  })
  for (let n = 1; n <= 5; n += 1) await first.spool.append(entry(n))
  expect(await first.spool.flush()).toEqual({ is: 'unreachable', why: 'away' })
  expect(first.spool.pending()).toBe(3)
  await first.spool.close()

  const second = await make()
  expect(second.spool.pending()).toBe(3)
  await second.spool.flush()
  expect(second.sent).toEqual(ids(3, 5))
  await second.spool.close()
  expect((await make()).spool.pending()).toBe(0)
})

test('a rejected entry is told, acknowledged and holds up nothing', async () => {
  const { spool, sent, rejected } = await make({
    send: async (next) =>
      next.eventId === entry(2).eventId ? { is: 'rejected', why: 'fenced off' } : { is: 'accepted' },
  })
  for (let n = 1; n <= 3; n += 1) await spool.append(entry(n))
  expect(await spool.flush()).toEqual({ is: 'drained' })
  expect(sent).toEqual(ids(1, 3))
  expect(rejected).toEqual([`${entry(2).eventId}: fenced off`])
  await spool.close()
  expect((await make()).spool.pending()).toBe(0)
})

test('a send that throws counts as unreachable', async () => {
  const { spool } = await make({
    send: async () => {
      throw new Error('socket hang up')
    },
  })
  await spool.append(entry(1))
  expect(await spool.flush()).toEqual({ is: 'unreachable', why: 'socket hang up' })
  expect(spool.pending()).toBe(1)
})

test('an unreachable daemon is tried again after 1, 2, 4, 8, 15, 15 s, with nothing lost or reordered', async () => {
  const slept: number[] = []
  let away = 6
  const tried: string[] = []
  const { spool, sent } = await make({
    clock: {
      now: () => new Date(),
      sleep: async (ms, signal) => {
        // The hour in the wait for the end is not part of the backoff.
        if (ms > 60_000) return await realClock.sleep(ms, signal)
        slept.push(ms)
        await spool.append(entry(2 + slept.length))
      },
    },
    send: async (next) => {
      tried.push(next.eventId)
      if (away > 0) {
        away -= 1
        throw new Error('connection refused')
      }
      return { is: 'accepted' }
    },
  })
  await spool.append(entry(1))
  await spool.append(entry(2))
  spool.start()
  expect(await spool.drained(3_600_000)).toBe(true)
  expect(slept).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  expect(tried.slice(0, 7)).toEqual(Array(7).fill(entry(1).eventId))
  expect(sent).toEqual(ids(1, 8))
})

test('the background sender takes up what is appended later, one at a time', async () => {
  let under = 0
  let most = 0
  const { spool, sent } = await make({
    send: async () => {
      under += 1
      most = Math.max(most, under)
      await sleep(5)
      under -= 1
      return { is: 'accepted' }
    },
  })
  spool.start()
  spool.start()
  for (let n = 1; n <= 20; n += 1) {
    await spool.append(entry(n))
    if (n % 5 === 0) void spool.flush()
  }
  expect(await spool.drained(30_000)).toBe(true)
  expect(sent).toEqual(ids(1, 20))
  expect(most).toBe(1)
})

test('drained says false when the time is over, and tries by itself when nothing runs', async () => {
  let away = true
  const { spool } = await make({
    send: async () => (away ? { is: 'unreachable', why: 'away' } : { is: 'accepted' }),
  })
  expect(await spool.drained(50)).toBe(true)
  await spool.append(entry(1))
  expect(await spool.drained(50)).toBe(false)
  away = false
  expect(await spool.drained(10_000)).toBe(true)
})

test('stop does not wait for an answer, and an answer that comes after it is not acknowledged', async () => {
  const answer = Promise.withResolvers<Sent>()
  const first = await make({ send: () => answer.promise })
  await first.spool.append(entry(1))
  first.spool.start()
  await sleep(50)
  await first.spool.close()
  answer.resolve({ is: 'accepted' })
  await vi.waitUntil(() => first.sent.length === 1, 60_000)
  await sleep(50)
  const second = await make()
  expect(second.spool.pending()).toBe(1)
  await second.spool.flush()
  expect(second.sent).toEqual(ids(1, 1))
})

test('a stopped sender can be started again', async () => {
  const { spool, sent } = await make()
  spool.start()
  await spool.stop()
  await spool.append(entry(1))
  await sleep(50)
  expect(sent).toEqual([])
  spool.start()
  expect(await spool.drained(10_000)).toBe(true)
  expect(sent).toEqual(ids(1, 1))
})

test('a torn last line is cut off and kept aside', async () => {
  const first = await make()
  await first.spool.append(entry(1))
  await first.spool.close()
  const whole = statSync(file).size
  appendFileSync(file, '{"eventId":"event-00002","ru')
  const { spool, sent, logged } = await make()
  expect(statSync(file).size).toBe(whole)
  expect(readFileSync(`${file}.torn`, 'utf8')).toContain('{"eventId":"event-00002","ru')
  expect(logged.join()).toContain('.torn')
  await spool.append(entry(3))
  await spool.flush()
  expect(sent).toEqual([entry(1).eventId, entry(3).eventId])
})

test('a torn line longer than any chunk, and nothing before it', async () => {
  await (await make()).spool.close()
  appendFileSync(file, 'x'.repeat(200_000))
  const { spool } = await make()
  expect(statSync(file).size).toBe(0)
  expect(spool.pending()).toBe(0)
  expect(statSync(`${file}.torn`).size).toBeGreaterThanOrEqual(200_000)
})

test('a spoilt line in the middle is kept aside and the others are sent', async () => {
  const first = await make()
  await first.spool.append(entry(1))
  appendFileSync(file, '\0\0\0 not json\n')
  appendFileSync(file, `${JSON.stringify({ ...entry(2), fence: 'three' })}\n`)
  appendFileSync(file, `${JSON.stringify(entry(3))}\n`)
  await first.spool.close()
  const { spool, sent } = await make()
  expect(await spool.flush()).toEqual({ is: 'drained' })
  expect(sent).toEqual([entry(1).eventId, entry(3).eventId])
  expect(spool.pending()).toBe(0)
  expect(readFileSync(`${file}.torn`, 'utf8')).toContain('not json')
  expect(readFileSync(`${file}.torn`, 'utf8')).toContain('"three"')
})

test.each(['999999999\n', '5\n', 'rubbish', '', '-1\n'])(
  'an offset that fits no line (%j) sends all again rather than lose anything',
  async (offset) => {
    const first = await make()
    for (let n = 1; n <= 3; n += 1) await first.spool.append(entry(n))
    await first.spool.close()
    writeFileSync(`${file}.acked`, offset)
    const { spool, sent } = await make()
    await spool.flush()
    expect(sent).toEqual(ids(1, 3))
  },
)

test('a large spool is sent whole, then compacted, and goes on', async () => {
  const { spool, sent } = await make()
  const long = 'é'.repeat(4_000)
  const count = 160
  await Promise.all(Array.from({ length: count }, (_, n) => spool.append(entry(n + 1, long))))
  expect(statSync(file).size).toBeGreaterThan(1_048_576)
  await spool.flush()
  expect(sent).toEqual(ids(1, count))
  expect(statSync(file).size).toBe(0)
  await spool.append(entry(count + 1))
  await spool.close()
  const again = await make()
  expect(again.spool.pending()).toBe(1)
  await again.spool.flush()
  expect(again.sent).toEqual([entry(count + 1).eventId])
  // A small one is left as it is.
  expect(statSync(file).size).toBeGreaterThan(0)
})

test('after a compaction new entries of the same length are not taken for the old ones', async () => {
  const { spool } = await make()
  const fill = async () => {
    await Promise.all(Array.from({ length: 300 }, (_, n) => spool.append(entry(n + 1, 'x'.repeat(3_600)))))
  }
  await fill()
  await spool.flush()
  expect(statSync(file).size).toBe(0)
  await fill()
  await spool.close()
  expect((await make()).spool.pending()).toBe(300)
})

/** Another process that appends without end and says each number once append has resolved. */
function appender(from: number, prelude = '') {
  const program = `
    import { openSpool } from ${JSON.stringify(new URL('./spool.ts', import.meta.url).href)}
    const clock = { now: () => new Date(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }
    const spool = await openSpool({ file: ${JSON.stringify(file)}, clock, log() {}, send: async () => ({ is: 'accepted' }) })
    const entry = (n, summary) => ({ ...${JSON.stringify(entry(0))},
      eventId: 'event-' + String(n).padStart(5, '0'),
      event: { ...${JSON.stringify(entry(0).event)}, summary } })
    ${prelude}
    for (let n = ${from}; ; n++) { await spool.append(entry(n, 'x'.repeat(n % 4000))); process.stdout.write(n + '\\n') }`
  return [process.execPath, '--input-type=module', '-e', program] as const
}

test('kill -9 at any moment loses no entry that append had confirmed', async () => {
  let confirmed = 0
  for (let round = 0; round < 5; round += 1) {
    const [node, ...args] = appender(confirmed + 1)
    const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = once(child, 'exit')
    const said = text(child.stdout)
    await once(child.stdout, 'readable')
    await sleep(20 + round * 17)
    child.kill('SIGKILL')
    await gone
    confirmed = Number((await said).trim().split('\n').at(-1))

    const { spool } = await make()
    // The entry under way when the process died may be there as well.
    const last = Number(/event-(\d+)[^\n]*\n$/.exec(readFileSync(file, 'utf8'))?.[1])
    expect([confirmed, confirmed + 1]).toContain(last)
    expect(spool.pending()).toBe(last)
    confirmed = last
    await spool.close()
  }
  const { spool, sent } = await make()
  await spool.flush()
  expect(sent).toEqual(ids(1, confirmed))
}, 60_000)

test('a write that fails half-way is told, and the next entry does not stick to it', async () => {
  const tries = `
    await spool.append(entry(1, 'short'))
    const why = await spool.append(entry(2, 'x'.repeat(4000))).then(() => 'no', (fault) => fault.name + ': ' + fault.message)
    await spool.append(entry(3, 'short'))
    process.stdout.write(why)
    process.exit(0)`
  const [node, ...args] = appender(1, tries)
  // A limit of 4 blocks of 512 bytes on files stands for a full disk.
  const child = spawn('/bin/sh', ['-c', 'ulimit -f 4; exec "$0" "$@"', node, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(await text(child.stdout)).toMatch(/^Fault: cannot write .*EFBIG/)
  expect(existsSync(`${file}.torn`)).toBe(false)
  const { spool, sent } = await make()
  await spool.flush()
  expect(sent).toEqual([entry(1).eventId, entry(3).eventId])
})
