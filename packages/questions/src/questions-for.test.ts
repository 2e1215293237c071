// Every question of the catalogue, from its trigger. What is expected is written by hand, not read from the files.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NewQuestion } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { catalogue, factsNeeded } from './catalogue.ts'
import { buildRows } from './expected/build.ts'
import { ideaRows } from './expected/idea.ts'
import { learnRows } from './expected/learn.ts'
import type { Row } from './expected/row.ts'
import type { Facts } from './facts.ts'
import { questionsFor } from './questions-for.ts'

const rows = [...ideaRows, ...buildRows, ...learnRows]

const ask = ({ agent, event, phase }: Row, facts: Facts) =>
  questionsFor({ agent, event, facts, ...(phase === undefined ? {} : { phase }) })

/** Events that happen in the product. What shows so cites the requirement; here are only the words. */
const FIRED = [
  'idea_created',
  'problem_statement_vague',
  'phase_complete',
  'idea_complexity_high',
  'before_research',
  'requirement_ambiguous',
  'requirements_contradict',
  'multiple_architectures',
  'before_finalize_spec',
  'external_dependencies',
  'spec_complete',
  'multiple_implementations',
  'missing_context',
  'task_complexity_exceeded',
  'milestone_reached',
  'task_failed_repeatedly',
  'validation_level_needed',
  'multiple_failures',
  'security_vulnerability',
  'coverage_below_threshold',
  'validation_passed',
  'pattern_detected',
  'gotcha_candidate',
  'claude_md_promotion',
  'template_improvement',
  'weekly_summary',
]

test('the events that can happen are those that the product names', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/expected\//.test(file),
  )
  const texts = files.map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  const named = rows.filter(({ event }) => texts.some((text) => text.includes(`'${event}'`)))
  expect(named.map(({ event }) => event)).toEqual(FIRED)
})

function asksWhatItShould(row: Row): void {
  const [question, ...others] = ask(row, row.facts)
  expect(others).toEqual([])
  expect(question).toMatchObject({
    agent: row.agent,
    event: row.event,
    phase: row.phase ?? '',
    type: row.type,
    blocking: row.blocking,
    allowFreeText: row.freeText,
  })
  expect(question?.options.map(({ label }) => label)).toEqual(row.options)
  expect(question?.options.filter(({ recommended }) => recommended).map(({ label }) => label)).toEqual(
    row.recommended === undefined ? [] : [row.recommended],
  )
  expect(question?.defaultOption).toBe(row.default)
  const implied = question?.options.flatMap(({ label, implications }) =>
    implications === undefined ? [] : [[label, implications]],
  )
  expect(Object.fromEntries(implied ?? [])).toEqual(row.implications ?? {})
  for (const words of row.says) expect(question?.text).toContain(words)
  expect(question?.text).not.toMatch(/[{}]/)
  if (row.not) expect(ask(row, { ...row.facts, ...row.not })).toEqual([])
}

for (const row of rows) {
  test(`${row.agent}/${row.event} asks what it should`, () => asksWhatItShould(row))

  for (const name of Object.keys(row.facts)) {
    test(`${row.agent}/${row.event} without ${name} is refused by name`, () => {
      const { [name]: _gone, ...rest } = row.facts
      expect(() => ask(row, rest)).toThrow(
        new RegExp(`^${row.agent}/${row.event}: the fact ${name}(\\.\\w+)? is missing$`),
      )
    })
  }
}

test('promotion needs both enough confidence and enough occurrences', () => {
  const facts = (confidence: number, occurrences: number) => ({
    pattern: { text: 'p', confidence, occurrences },
    count: 3,
    proposed_addition: 'p',
  })
  const asked = (confidence: number, occurrences: number) =>
    questionsFor({ agent: 'sia', event: 'claude_md_promotion', facts: facts(confidence, occurrences) }).length
  expect([asked(0.9, 3), asked(0.89, 3), asked(0.9, 2), asked(0.89, 2)]).toEqual([1, 0, 0, 0])
})

verifies('AGENT-QUESTION-11', 'the triggers of each agent are declared in its own file', () => {
  const agents = ['build', 'ideation', 'sia', 'specification', 'ux', 'validation']
  expect([...new Set(catalogue().map(({ agent }) => agent))]).toEqual(agents)
  for (const agent of agents) {
    expect(existsSync(fileURLToPath(new URL(`./agents/${agent}/questions.yaml`, import.meta.url)))).toBe(true)
  }
  expect(catalogue().map(({ agent, event }) => `${agent}/${event}`)).toEqual(
    agents.flatMap((agent) =>
      rows.filter((row) => row.agent === agent).map(({ event }) => `${agent}/${event}`),
    ),
  )
})

test('the catalogue tells what an event needs before it happens', () => {
  for (const row of rows) {
    const declared = catalogue().find(({ agent, event }) => agent === row.agent && event === row.event)
    const needed = new Set((declared ? factsNeeded(declared) : []).map((name) => name.split('.')[0]))
    expect([...needed].sort()).toEqual(Object.keys(row.facts).sort())
    expect(declared?.condition === null).toBe(row.not === undefined)
  }
})

test('the end of another phase asks nothing', () => {
  const phases = [undefined, 'SCOPING', 'EXPLORING'].map(
    (phase) =>
      questionsFor({
        agent: 'ideation',
        event: 'phase_complete',
        facts: {},
        ...(phase === undefined ? {} : { phase }),
      }).length,
  )
  expect(phases).toEqual([0, 0, 1])
})

test('an event nobody declared is a mistake and not silence', () => {
  expect(() => questionsFor({ agent: 'build', event: 'task_faild', facts: {} })).toThrow(
    'build/task_faild: the catalogue has no such event',
  )
})

test('a recommendation that is no level is refused', () => {
  const facts = { recommendation: 'Everything' }
  expect(() => questionsFor({ agent: 'validation', event: 'validation_level_needed', facts })).toThrow(
    /^validation\/validation_level_needed: .*the default is none of the options/s,
  )
})

test('questions are alike across facts only where the answer does not depend on them', () => {
  const [persona] = questionsFor({ agent: 'ux', event: 'before_ux_testing', facts: {} })
  expect(persona).toMatchObject({ template: 'ux/before_ux_testing#1', tags: ['persona'] })
  const missing = (missing_info: string) =>
    questionsFor({ agent: 'build', event: 'missing_context', facts: { task_id: '#7', missing_info } })[0]
  expect(missing('which currency')).toMatchObject({
    template: 'build/missing_context#1',
    tags: ['missing-context', expect.stringMatching(/^facts:[0-9a-f]{16}$/)],
  })
  expect(missing('which currency')?.tags).toEqual(missing('which currency')?.tags)
  expect(missing('which currency')?.tags).not.toEqual(missing('which country')?.tags)
  const general = rows.flatMap((row) => ask(row, row.facts)).filter(({ tags }) => tags.length === 1)
  expect(general.map(({ event }) => event)).toEqual([
    'phase_complete',
    'before_research',
    'milestone_reached',
    'validation_level_needed',
    'multiple_failures',
    'before_ux_testing',
    'weekly_summary',
  ])
})

test('what is no fact at all is missing', () => {
  for (const odd of [null, undefined, Number.NaN, {}, () => 'x']) {
    const facts = { task_id: '#7', missing_info: odd } as unknown as Facts
    expect(() => questionsFor({ agent: 'build', event: 'missing_context', facts })).toThrow(
      /^build\/missing_context: the fact missing_info(\.text)? is missing$/,
    )
  }
})

test('facts are text: nothing in them is filled in, run or moves a cursor, and they are cut', () => {
  const facts = { task_id: '{missing_info} $& $1', missing_info: `\u001b[2J\u0000${'long '.repeat(1_000)}` }
  const [question] = questionsFor({ agent: 'build', event: 'missing_context', facts })
  expect(question?.text).toContain('task {missing_info} $& $1.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not be there.
  expect(question?.text).not.toMatch(/[\u0000\u001b]/)
  expect(question?.text.length).toBeLessThan(2_000)
  expect(question?.text).toContain('…')
})

test('a long list is cut, an empty one says so', () => {
  const facts = { in_scope_list: Array.from({ length: 25 }, (_, n) => `part ${n}`), out_scope_list: [] }
  const [question] = questionsFor({ agent: 'specification', event: 'before_finalize_spec', facts })
  expect(question?.text).toContain('- part 19\n- and 5 more')
  expect(question?.text).toContain('Out of scope:\n- none')
})

test('the fullest question with the longest facts still fits the contract', () => {
  for (const row of rows) {
    const stretched = Object.fromEntries(
      Object.entries(row.facts).map(([name, fact]) => {
        if (Array.isArray(fact)) return [name, Array.from({ length: 500 }, () => 'y'.repeat(5_000))]
        const kept = typeof fact !== 'string' || name === 'recommendation' || name === 'problem_description'
        return [name, kept ? fact : 'y'.repeat(100_000)]
      }),
    )
    expect(NewQuestion.safeParse(ask(row, stretched)[0]).success).toBe(true)
  }
})
