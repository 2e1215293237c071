// What a review finds is asked about, through a daemon: another patch that passes, and a package with a weakness.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { QuestionRecord } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { addItem, deliver, itemOf, refOf, take, type Work } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 240_000 })

const half = (code: string) => `export function half(n) {\n  ${code}\n}\n`
const open = useInProcess('any', {
  settings: {
    tests: { command: 'node --test' },
    gates: { inputs: 'auto', network: true },
    limits: { sweepMs: 300, reviewCycles: 1 },
  } as never,
  files: {
    'package.json': '{ "type": "module" }\n',
    'f.js': half('return n * 2'),
    'f.test.js': `import assert from 'node:assert/strict'
import test from 'node:test'
import { half } from './f.js'
test('four', () => assert.equal(half(4), 2))
test('ten', () => assert.equal(half(10), 5))
`,
  },
})

const server = createServer((request, response) => {
  const weakness = {
    id: 1,
    severity: 'high',
    vulnerable_versions: '<2',
    title: 'leaky is weak',
    url: '',
    cwe: [],
  }
  const isAsked = request.url === '/-/npm/v1/security/advisories/bulk'
  const versions = {
    '1.0.0': { name: 'leaky', version: '1.0.0' },
    '2.0.0': { name: 'leaky', version: '2.0.0' },
  }
  const told = isAsked
    ? { leaky: [{ ...weakness, cvss: { score: 0, vectorString: null } }] }
    : { name: 'leaky', 'dist-tags': { latest: '2.0.0' }, versions }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const about = async (
  { client }: InProcessDaemon,
  number: number,
  event: string,
): Promise<QuestionRecord[]> => {
  const { items } = await client.listQuestions({ query: { item: number } })
  return items.filter((each) => each.event === event)
}
const asked = (daemon: InProcessDaemon, number: number, event: string) =>
  eventually(`${event} is asked`, async () => (await about(daemon, number, event))[0], 120_000)
const labels = ({ options }: QuestionRecord) => options.map(({ label }) => label)
const answer = ({ client }: InProcessDaemon, { id }: QuestionRecord, text: string) =>
  client.answerQuestion({ params: { id }, body: { text, by: 'ada' } })

async function delivered(daemon: InProcessDaemon, files: Record<string, string>): Promise<Work> {
  const work = await take(daemon, await addItem(daemon.client, { title: 'Halve it' }))
  await deliver(daemon.workspace, work, files)
  return work
}
const settled = (work: Work, state: string) =>
  eventually(`it is ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })

verifies(
  'AGENT-QUESTION-22',
  'another patch that passes the same tests is asked about once and holds nobody up; choosing it sends the delivery back with it',
  async (context) => {
    const daemon = await open(context)
    const work = await delivered(daemon, { 'f.js': half('return n - (n < 7 ? 2 : 5)') })
    const { number } = work.ref
    const question = await asked(daemon, number, 'multiple_implementations')
    expect(question).toMatchObject({
      type: 'clarifying',
      blocking: false,
      status: 'open',
      agent: 'build',
      defaultOption: 'Yes, use your recommendation',
      item: refOf(await itemOf(work)),
    })
    expect(question.text).toContain(`Task #${number} Halve it can be done in two ways`)
    expect(question.text).toContain('1. as it was delivered')
    expect(question.text).toContain('2. another patch that passes the same tests')
    expect(question.text).toContain('I would take number 1')
    expect(question.text).toMatch(/\+\s+return n \/ 2/)
    expect(labels(question)).toEqual([
      'Yes, use your recommendation',
      'Use approach 1',
      'Use approach 2',
      'Let me think about it',
    ])
    expect(await itemOf(work)).toMatchObject({ state: 'in_review', needsHuman: true })
    await answer(daemon, question, 'Use approach 2')
    const back = await settled(work, 'escalated')
    expect(back.reason).toContain('return n / 2')
    expect(await about(daemon, number, 'multiple_implementations')).toHaveLength(1)
  },
)

verifies(
  ['AGENT-QUESTION-30', 'AGENT-QUESTION-53'],
  'a package with a known weakness is asked about and waits without an end; only a person accepts it, and only as it was delivered',
  async (context) => {
    const daemon = await open(context)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const root = { name: 'p', version: '1.0.0', type: 'module', dependencies: { leaky: '^1.0.0' } }
    const leaky = { version: '1.0.0', resolved: 'https://x.invalid/leaky-1.0.0.tgz' }
    const lock = { name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true }
    const packages = { '': root, 'node_modules/leaky': leaky }
    const files = {
      '.npmrc': `registry=${url}\n`,
      'package.json': JSON.stringify(root),
      'package-lock.json': JSON.stringify({ ...lock, packages }, null, 2),
      'f.js': half('return n / 2'),
    }
    const work = await delivered(daemon, files)
    const { number } = work.ref
    const question = await asked(daemon, number, 'security_vulnerability')
    expect(question).toMatchObject({ type: 'blocking', blocking: true, status: 'open', dueAt: null })
    for (const words of [
      'Type: a known weakness of the package leaky',
      'Severity: high',
      'Details: high: leaky <2: leaky is weak',
    ])
      expect(question.text).toContain(words)
    expect(question.text).toMatch(/Place: package-lock\.json:\d\d/)
    expect(labels(question)).toEqual([
      'Fix it now',
      'Show me more details',
      "I'll handle manually",
      'Accept the risk (not recommended)',
    ])
    expect(question.options[0]?.recommended).toBe(true)
    expect(question.options[3]?.implications).toContain('What can happen: whoever knows the weakness')
    expect((await settled(work, 'escalated')).mergeCommit).toBeNull()
    await answer(daemon, question, 'Accept the risk (not recommended)')
    expect((await settled(work, 'done')).approval).toMatchObject({ kind: 'human', by: 'ada' })
    expect(await about(daemon, number, 'security_vulnerability')).toHaveLength(1)
  },
)
