// The same ten improve turns of the native engine, in one conversation and each in one of its own, against a model on
// the loopback that keeps a prompt cache as providers do.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatesConfig } from '@treadle/contracts/config/gates'
import { blankItem } from '@treadle/contracts/item'
import type { Usage } from '@treadle/contracts/run'
import { openNative } from '@treadle/engines/native/engine'
import type { ModelReply, ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { PromptCache } from '@treadle/engines/testing/model-server/prompt-cache'
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { TEST_PATH, taskOf, testNativeSettings } from '@treadle/engines/testing/native'
import { type PromptFacts, writeNews, writePrompt } from '@treadle/flow/build/prompt'
import { groupFailures } from '@treadle/flow/verify/failure/group'

const TURNS = 10
const FILES = ['cart', 'price', 'stock', 'order', 'user', 'mail'].map((name) => `src/${name}.js`)
const LINES = 120
const OUTPUT_TOKENS = 150

interface Used {
  readonly calls: number
  readonly uncached: number
  readonly cached: number
  readonly output: number
  readonly usd: number
}

export interface Found {
  readonly without: Used
  readonly with: Used
}

export async function measureResume(): Promise<Found> {
  return { without: await playAll(false), with: await playAll(true) }
}

async function playAll(resumes: boolean): Promise<Used> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-resume-')))
  const [cwd, home] = [join(folder, 'work'), join(folder, 'home')]
  mkdirSync(join(cwd, 'src'), { recursive: true })
  mkdirSync(home)
  for (const file of FILES) writeFileSync(join(cwd, file), programText(file))
  const cache = new PromptCache()
  const server = await startModelServer({
    answer: (request) => ({ ...deed(request), usage: cache.count(request, OUTPUT_TOKENS) }),
  })
  const used: Usage[] = []
  try {
    const engine = openNative(testNativeSettings(server.url, { parallel: 1 }))
    let conversation: string | null = null
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const resume: string | null = resumes ? conversation : null
      const session = await engine.open({
        cwd,
        home,
        env: { PATH: TEST_PATH },
        stallMs: 60_000,
        ...(resume === null ? {} : { resume }),
        onEvent: (event) => {
          if (event.is === 'session') conversation = event.id
          if (event.is === 'used') used.push(event.usage)
        },
        onQuestion: async () => ({ text: '' }),
      })
      const facts = factsOf(turn, cwd)
      const { text } = resume === null ? writePrompt(facts) : writeNews(facts, false)
      const end = await session.prompt(taskOf(text))
      await session.stop(1_000)
      if (end.outcome !== 'done') throw new Error(`turn ${turn} ended as ${end.outcome}: ${end.text}`)
    }
    checkDone(cwd)
    return sumOf(used)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The model reads the files unless it has them in its conversation, mends one line, runs it, and says so. */
function deed({ messages }: ModelRequest): ModelReply {
  const last = messages.at(-1)
  const order = messages.findLastIndex(({ role, text }) => role === 'user' && ROUND.test(text))
  const round = Number(ROUND.exec(messages[order]?.text ?? '')?.[1])
  const since = messages.slice(order)
  const hasRead = messages.some(({ results }) => results.some(({ text }) => text.includes('round 1')))
  if (!hasRead) return { toolCalls: FILES.map((filePath) => ({ name: 'read', input: { filePath } })) }
  const called = since.flatMap(({ calls }) => calls.map(({ name }) => name))
  if (!called.includes('edit')) {
    const filePath = FILES[0] ?? ''
    const input = { filePath, oldString: `round ${round} `, newString: `round ${round + 1} ` }
    return { toolCalls: [{ name: 'edit', input }] }
  }
  if (!called.includes('bash'))
    return {
      toolCalls: [{ name: 'bash', input: { command: `node --check ${FILES[0]}`, description: 'Check' } }],
    }
  return { text: last === undefined ? '' : 'I have mended it.' }
}

const ROUND = /expected round (\d+) to be over/

function programText(file: string): string {
  const lines = Array.from(
    { length: LINES },
    (_, at) => `export const step${at} = (x) => x + ${at} // ${file}`,
  )
  return [`// round 1 of ${file}`, ...lines, ''].join('\n')
}

function factsOf(turn: number, cwd: string): PromptFacts {
  const file = FILES[0] ?? ''
  const failure = {
    id: `adds up in round ${turn}`,
    file: 'test/cart.test.js',
    line: 7,
    message: `AssertionError: expected round ${turn} to be over`,
    stack: `at total (${file}:1:1)`,
    frames: [{ file, line: 1, column: 1, fn: 'total', own: true }],
  }
  const words = (about: string, lines: number) =>
    Array.from({ length: lines }, (_, at) => `${about}, rule ${at + 1}: keep to what is written here.`).join(
      '\n',
    )
  return {
    item: {
      ...blankItem({ number: 1, title: 'The cart adds up', createdAt: new Date(0).toISOString() }),
      body: words('The cart', 20),
    },
    attempt: turn + 1,
    gates: GatesConfig.parse({}),
    testCommand: 'npm test',
    groups: groupFailures([failure]),
    others: 0,
    history: [],
    suggestion: null,
    rework: null,
    asked: { requested: [], sentBy: null },
    lessons: { patterns: [], gotchas: [], resolutions: [], applied: [] },
    guidance: [],
    files: new Map([
      ['CLAUDE.md', words('Code', 60)],
      ['README.md', words('The project', 60)],
      [file, readFileSync(join(cwd, file), 'utf8')],
    ]),
    budgetTokens: 30_000,
    count: (text) => Math.ceil(text.length / 4),
  }
}

/** What was paid for was also done. */
function checkDone(cwd: string): void {
  const text = readFileSync(join(cwd, FILES[0] ?? ''), 'utf8')
  if (!text.includes(`round ${TURNS + 1} `)) throw new Error('the turns did not do what they were asked')
}

function sumOf(used: readonly Usage[]): Used {
  const sum = (of: (usage: Usage) => number | null | undefined) =>
    used.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  return {
    calls: used.length,
    uncached: sum(({ inputTokens }) => inputTokens) + sum(({ cacheWriteTokens }) => cacheWriteTokens),
    cached: sum(({ cacheReadTokens }) => cacheReadTokens),
    output: sum(({ outputTokens }) => outputTokens),
    usd: sum(({ usd }) => usd),
  }
}

export function printed({ without, with: resumed }: Found): string {
  const line = (name: string, of: keyof Used, digits = 0) => {
    const [before, after] = [without[of], resumed[of]]
    const cells = [before.toFixed(digits), after.toFixed(digits), (after / before).toFixed(2)]
    return `${name.padEnd(18)}${cells.map((cell) => cell.padStart(10)).join('')}`
  }
  return [
    `${`${TURNS} improve turns`.padEnd(18)}${['without', 'with', 'ratio'].map((cell) => cell.padStart(10)).join('')}`,
    line('calls', 'calls'),
    line('uncached tokens', 'uncached'),
    line('cached tokens', 'cached'),
    line('output tokens', 'output'),
    line('dollars', 'usd', 4),
    '',
  ].join('\n')
}
