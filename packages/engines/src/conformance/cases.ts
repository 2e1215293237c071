// What any engine has to do, whoever made it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineOutcome } from '@treadle/contracts/run'
import type { Capabilities } from '@treadle/flow/ports/engine'
import { expect } from 'vitest'
import { openPrices } from '../prices.ts'
import { type Opened, refusing, type Stage } from './stage.ts'

export interface Case {
  /** Its column in the table. */
  readonly name: string
  readonly title: string
  /** Without it the engine cannot, and is not asked to. */
  readonly needs?: keyof Capabilities
  run(stage: Stage): Promise<void>
}

const SAID = 'Keep build, look in src.'

const edit: Case = {
  name: 'edit',
  title: 'it edits a file and runs its test; each call is told with input, output, duration and success',
  async run(stage) {
    const opened = await stage.open()
    expect(await opened.say('edit')).toMatchObject({ outcome: 'done' })
    expect(stage.text('sum.mjs')).toContain('a + b')
    const observed = opened.of('observed').map(({ observation }) => observation)
    expect(observed.length).toBeGreaterThanOrEqual(2)
    for (const { tool, durationMs, success } of observed) {
      expect([tool, success]).toEqual([expect.stringMatching(/./), true])
      expect(durationMs).toBeGreaterThanOrEqual(0)
    }
    if (stage.engine.can?.toolOutput !== true) return
    const test = observed.find(({ input }) => input.includes('node test.mjs'))
    expect(test?.output).toContain('PASS')
  },
}

const usage: Case = {
  name: 'usage',
  title: 'what it says to have used adds up to what the model has counted, over two turns',
  async run(stage) {
    const opened = await stage.open()
    await opened.say('edit')
    await opened.say('edit')
    const { input, output, cacheRead, cacheWrite } = tokensIn(opened)
    // Not every protocol tells apart what went into the cache.
    expect([input + cacheWrite, cacheRead, output]).toEqual([4_400, 12_000, 480])
    if (stage.engine.can?.cost !== true) return
    const used = opened.of('used').map((each) => each.usage)
    const usd = used.reduce((sum, each) => sum + (each.usd ?? 0), 0)
    const prices = openPrices({})
    expect(usd).toBeCloseTo(
      used.reduce((sum, each) => sum + prices(each).usd, 0),
      4,
    )
  },
}

function tokensIn(opened: Opened) {
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for (const { usage: used } of opened.of('used')) {
    sum.input += used.inputTokens
    sum.output += used.outputTokens
    sum.cacheRead += used.cacheReadTokens ?? 0
    sum.cacheWrite += used.cacheWriteTokens ?? 0
  }
  return sum
}

const deny: Case = {
  name: 'deny',
  title: 'a refusal keeps the tool from being used, and its words reach the model',
  needs: 'denyMessage',
  async run(stage) {
    const opened = await stage.open({ permissions: 'ask', onQuestion: refusing(SAID) })
    const end = await opened.say('guide')
    expect(end).toMatchObject({ outcome: 'done', text: expect.stringContaining(SAID) })
    expect(stage.has('build')).toBe(true)
    expect(opened.questions[0]).toMatchObject({ kind: 'permission' })
    expect(opened.of('observed').map(({ observation }) => observation.denied)).toContain(true)
  },
}

const change: Case = {
  name: 'edited input',
  title: 'a person changes what a tool is called with',
  needs: 'editInput',
  async run(stage) {
    const onQuestion = async () => ({ text: 'allow', input: { command: 'echo kept' } })
    const opened = await stage.open({ permissions: 'ask', onQuestion })
    expect(await opened.say('guide')).toMatchObject({
      outcome: 'done',
      text: expect.stringContaining('kept'),
    })
    expect(stage.has('build')).toBe(true)
  },
}

const form: Case = {
  name: 'question',
  title: 'a question of the model is answered by a person',
  needs: 'forms',
  async run(stage) {
    const onQuestion = async () => ({ text: 'right', values: { 'Which way?': 'right' } })
    const opened = await stage.open({ onQuestion })
    const end = await opened.say('form')
    expect(opened.questions).toMatchObject([{ title: 'Which way?', options: ['left', 'right'] }])
    expect(end).toMatchObject({ outcome: 'done', text: expect.stringContaining('right') })
  },
}

const pause: Case = {
  name: 'pause',
  title: 'while it is paused no tool is used; then it goes on',
  needs: 'pause',
  async run(stage) {
    const opened = await stage.open()
    await opened.session.pause?.()
    const ended = opened.say('two')
    for (let waited = 0; waited < 20_000 && opened.of('began').length === 0; waited += 50) await sleep(50)
    await sleep(500)
    expect([stage.has('one'), stage.has('two')]).toEqual([false, false])
    await opened.session.resume?.()
    expect(await ended).toMatchObject({ outcome: 'done' })
    expect([stage.has('one'), stage.has('two')]).toEqual([true, true])
  },
}

const steer: Case = {
  name: 'steer',
  title: 'words that are said while it works reach the model in the same turn',
  needs: 'steer',
  async run(stage) {
    const opened = await stage.open()
    const ended = opened.say('steer')
    await stage.running()
    expect(await opened.session.steer?.(SAID)).toBe(true)
    expect(await ended).toMatchObject({ outcome: 'done', text: expect.stringContaining(SAID) })
  },
}

const interrupt: Case = {
  name: 'interrupt',
  title: 'an interruption ends the turn with its command, and the next turn works',
  async run(stage) {
    const opened = await stage.open()
    const ended = opened.say('long')
    await stage.running()
    await opened.session.interrupt()
    expect(await ended).toMatchObject({ outcome: 'interrupted' })
    expect(await stage.leftovers('command')).toEqual([])
    expect(await opened.say('edit')).toMatchObject({ outcome: 'done' })
    expect(stage.text('sum.mjs')).toContain('a + b')
  },
}

const stop: Case = {
  name: 'stop',
  title: 'to stop it leaves no process',
  async run(stage) {
    const opened = await stage.open()
    const ended = opened.say('long')
    await stage.running()
    expect(stage.processes('command')).not.toEqual([])
    await opened.session.stop(5_000)
    expect(await ended).toMatchObject({ outcome: 'interrupted' })
    expect(await stage.leftovers('all')).toEqual([])
  },
}

const hasTag = (messages: readonly { readonly text: string }[], tag: string) =>
  messages.some(({ text }) => text.includes(`[[s:${tag}]]`))

const resume: Case = {
  name: 'resume',
  title: 'another process goes on with the same conversation, and counts nothing twice',
  needs: 'resume',
  async run(stage) {
    const first = await stage.open()
    await first.say('edit')
    const id = first.of('session')[0]?.id
    expect(id).toEqual(expect.stringMatching(/./))
    await first.session.stop(5_000)
    const second = await stage.open({ resume: id ?? '' })
    const before = stage.server.requests.length
    const end = await second.say('recall')
    const calls = stage.server.requests.slice(before)
    // Once each: nothing is forgotten, and nothing is said to the model a second time.
    expect(end).toMatchObject({ outcome: 'done', text: expect.stringContaining('I know of edit, recall.') })
    expect(second.of('session').map((each) => each.id)).toContain(id)
    // One call of the conversation itself: what was done before is not done, and not paid for, again.
    const asked = calls.filter(({ tools, messages }) => tools.length > 0 && hasTag(messages, 'recall'))
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(asked[0]?.messages)).toContain('PASS')
    const { input, output } = tokensIn(second)
    // Calls beside the conversation, to choose a model, may be left out; its own may not, and nothing of before comes in.
    const bills = calls.map((_, at) => [(at + 1) * 300, (at + 1) * 60])
    expect(stage.countsAll ? bills.slice(-1) : bills).toContainEqual([input, output])
  },
}

/** As the providers have it: a level, or a tenth of the answer for models that know no levels. */
const EFFORT = /"(?:effort|reasoning_effort|thinkingLevel)":"low"|"budget_tokens":6400\b/i

const effort: Case = {
  name: 'effort',
  title: 'the effort of an item is what its model is asked with',
  async run(stage) {
    const opened = await stage.open({ effort: 'low' })
    expect(await opened.say('edit')).toMatchObject({ outcome: 'done' })
    const asked = stage.server.requests.filter(
      ({ tools, messages }) => tools.length > 0 && hasTag(messages, 'edit'),
    )
    expect(asked.length).toBeGreaterThan(0)
    for (const { body } of asked) expect(JSON.stringify(body)).toMatch(EFFORT)
  },
}

const errors: readonly (readonly [tag: string, outcome: EngineOutcome])[] = [
  ['status 401', 'auth'],
  ['status 402', 'billing'],
  ['status 429', 'rate_limited'],
  ['status 500', 'overloaded'],
  ['status 529', 'overloaded'],
  ['status 400', 'invalid'],
  ['cut', 'network'],
]

const faults = errors.map(
  ([tag, outcome]): Case => ({
    name: tag.replace('status ', ''),
    title: `${tag} ends the turn as ${outcome}`,
    async run(stage) {
      const opened = await stage.open()
      const { outcome: found, text } = await opened.say(tag)
      expect([found, text]).toEqual([outcome, expect.any(String)])
    },
  }),
)

const maxTurns: Case = {
  name: 'max turns',
  title: 'it ends after so many calls of the model',
  needs: 'maxTurns',
  async run(stage) {
    const opened = await stage.open({ maxTurns: 3 })
    expect(await opened.say('loop')).toMatchObject({ outcome: 'max_turns' })
    expect(stage.server.requests.length).toBeLessThanOrEqual(5)
  },
}

const budget: Case = {
  name: 'budget',
  title: 'it ends when so many dollars are used up',
  needs: 'budget',
  async run(stage) {
    const opened = await stage.open({ budgetUSD: 1 })
    expect(await opened.say('dear')).toMatchObject({ outcome: 'budget' })
    expect(stage.server.requests.length).toBeLessThanOrEqual(4)
  },
}

const structured: Case = {
  name: 'structured',
  title: 'an answer keeps to a schema',
  needs: 'structured',
  async run(stage) {
    const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] }
    const opened = await stage.open({ schema })
    expect(await opened.say('structured')).toMatchObject({ outcome: 'done', structured: { answer: 42 } })
  },
}

const sandbox: Case = {
  name: 'sandbox',
  title: 'a write outside of the worktree does not happen',
  async run(stage) {
    const outside = join(stage.place.folder, 'outside')
    const opened = await stage.open()
    expect(await opened.say(`run touch ${outside}; touch inside`)).toMatchObject({ outcome: 'done' })
    expect([stage.has('inside'), existsSync(outside)]).toEqual([true, false])
  },
}

/** What the product uses of every engine. */
export const cases: readonly Case[] = [
  edit,
  usage,
  form,
  steer,
  interrupt,
  stop,
  resume,
  effort,
  ...faults,
  sandbox,
]

/** What engines are able to do besides: tried with our own, and no part of the table. */
export const spareCases: readonly Case[] = [deny, change, pause, maxTurns, budget, structured]
