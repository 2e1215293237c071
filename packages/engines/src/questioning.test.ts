// The questioning module and the questions in answers, with real programs and a model on the loopback.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineQuestion } from '@treadle/flow/ports/engine'
import { QUESTIONING_MODULE } from '@treadle/questions/module'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { argvOf } from './claude-code/settings.ts'
import { openCommand } from './command/engine.ts'
import { openPrices } from './prices.ts'
import { questioning } from './questioning.ts'
import { openTestNative, TEST_PATH, taskOf } from './testing/native.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'questioning-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const asked = (question: object) => JSON.stringify({ question })
const COLOUR = { type: 'blocking', text: 'Which colour?', options: [{ label: 'Green' }, { label: 'Blue' }] }
const NAMES = { type: 'preference', text: 'Long names?', options: ['Long', 'Short'] }

/** A program that gives these answers in turn and keeps what it was told. */
async function program(
  answers: readonly string[],
  answer: (question: EngineQuestion) => Promise<{ text: string }>,
) {
  answers.forEach((text, at) => {
    writeFileSync(join(folder, `answer-${at}`), text)
  })
  const file = join(folder, 'program.sh')
  writeFileSync(
    file,
    `n=$(ls told-* 2>/dev/null | wc -l | tr -d ' ')\ncp "$TREADLE_PROMPT_FILE" told-$n\ncat answer-$n 2>/dev/null || echo Done.\n`,
  )
  chmodSync(file, 0o755)
  const engine = questioning(
    openCommand({
      run: 'sh ./program.sh',
      responseFile: join(folder, 'response.md'),
      sandbox: { mode: 'auto' },
    }),
  )
  const session = await engine.open({
    cwd: folder,
    env: { PATH: TEST_PATH },
    stallMs: 30_000,
    onEvent: () => undefined,
    onQuestion: answer,
  })
  const end = await session.prompt(taskOf('Paint it'))
  await session.stop(0)
  return { end, told: (at: number) => readFileSync(join(folder, `told-${at}`), 'utf8') }
}

verifies(
  ['AGENT-QUESTION-41', 'AGENT-QUESTION-43', 'AGENT-QUESTION-58'],
  'a program is told how to ask, what it asks is put to a person, and it goes on with the answer',
  async () => {
    const questions: EngineQuestion[] = []
    const { end, told } = await program([`I looked.\n${asked(COLOUR)}`], async (question) => {
      questions.push(question)
      return { text: 'Blue' }
    })
    expect(end).toMatchObject({ outcome: 'done', text: 'Done.' })
    expect(questions).toMatchObject([
      { kind: 'choice', title: 'Which colour?', options: ['Green', 'Blue'], detail: { blocking: true } },
    ])
    expect(told(0)).toContain(QUESTIONING_MODULE)
    expect(told(1)).toContain('You asked: Which colour?\nThe answer: Blue')
    // It begins anew with every prompt.
    expect(told(1)).toContain('Paint it')
  },
)

test('where nobody can be asked the program decides, and one that asks without end is ended', async () => {
  const { end, told } = await program(
    Array.from({ length: 30 }, () => asked(COLOUR)),
    async () => ({ text: '' }),
  )
  expect(told(1)).toContain('Nobody can be asked')
  expect(end.outcome).toBe('done')
  expect(() => told(11)).toThrow()
})

test('a question that cannot be read is said back', async () => {
  const { told } = await program(['{"question": {"type": "blocking", "text": ""}}'], async () => ({
    text: '',
  }))
  expect(told(1)).toContain('could not be read')
})

verifies('AGENT-QUESTION-41', 'claude-code has the questioning module in its system prompt', async () => {
  let system: string | undefined
  const inner = {
    id: 'seen',
    takes: 'all' as const,
    probe: async () => ({ is: 'usable' as const, note: '' }),
  }
  await questioning({
    ...inner,
    async open(options) {
      system = options.system
      throw new Error('seen')
    },
  })
    .open({
      cwd: folder,
      env: {},
      stallMs: 1,
      system: 'Be brief.',
      onEvent: () => undefined,
      onQuestion: async () => ({ text: '' }),
    })
    .catch(() => undefined)
  expect(system).toBe(`Be brief.\n\n${QUESTIONING_MODULE}`)
  const settings = {
    command: 'claude',
    model: null,
    login: 'key',
    retries: 0,
    sandbox: 'off',
    access: {},
    env: {},
  } as const
  const open = {
    cwd: folder,
    env: {},
    stallMs: 1,
    system: system ?? '',
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  }
  const argv = argvOf({
    program: 'claude',
    settings: { ...settings, prices: openPrices({}) },
    open,
    resume: null,
  })
  expect(argv[argv.indexOf('--append-system-prompt') + 1]).toContain(QUESTIONING_MODULE)
})

verifies(
  ['AGENT-QUESTION-41', 'AGENT-QUESTION-54', 'AGENT-QUESTION-58'],
  'the native engine and its sub-agents ask in their answers, and go on where they do not have to wait',
  async () => {
    const questions: EngineQuestion[] = []
    const tasks = [{ id: 'a', text: 'Paint a part' }]
    const { prompt, server } = await openTestNative(
      [
        { text: asked(NAMES) },
        { toolCalls: [{ name: 'delegate', input: { tasks } }] },
        { text: `I cannot go on.\n${asked(COLOUR)}` },
        { text: 'The part is blue.' },
        { text: 'All is done.' },
      ],
      {
        cwd: folder,
        system: QUESTIONING_MODULE,
        answer: async (question) => {
          questions.push(question)
          return { text: question.detail?.blocking === true ? 'Blue' : '' }
        },
      },
    )
    try {
      expect(await prompt('Paint it')).toMatchObject({ outcome: 'done', text: 'All is done.' })
      expect(questions.map(({ title, detail }) => [title, detail?.blocking])).toEqual([
        ['Long names?', false],
        ['Which colour?', true],
      ])
      const last = (at: number) => server.requests[at]?.messages.at(-1)?.text ?? ''
      expect(last(1)).toContain('Go on with your work')
      expect(last(3)).toContain('The answer: Blue')
      for (const { system } of server.requests) expect(system).toContain(QUESTIONING_MODULE)
    } finally {
      await server.close()
    }
  },
)
