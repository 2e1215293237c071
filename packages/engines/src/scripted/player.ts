// The child process of the scripted engine: plays one script step by step. Takes no packages, so it starts fast.
import { createInterface } from 'node:readline'
import { killOwnTree } from '@treadle/process/tree'
import type { FromPlayer, ToPlayer } from './protocol.ts'
import type { Step } from './scenario.ts'
import { perform, type StepResult, Violation } from './steps.ts'
import { bounded } from './window.ts'

let interrupted = false
const interruption = Promise.withResolvers<void>()
const answers = new Map<string, (answer: string) => void>()
const words: string[] = []
let told = Promise.withResolvers<void>()
let mark: string | undefined
let goOn = Promise.withResolvers<void>()

const input = createInterface({ input: process.stdin })
input.on('line', (line) => receive(JSON.parse(line) as ToPlayer))
// The parent is gone: nobody would end what this process has started.
input.on('close', () => killOwnTree(mark))

function receive(message: ToPlayer): void {
  switch (message.is) {
    case 'play':
      mark = message.mark
      void play(message.id, message.steps)
      return
    case 'answer':
      answers.get(message.id)?.(message.answer)
      return
    case 'go_on':
      goOn.resolve()
      return
    case 'steer':
      words.push(message.text)
      told.resolve()
      return
    case 'interrupt':
      interrupted = true
      interruption.resolve()
  }
}

function say(message: FromPlayer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

type Ended = Omit<Extract<FromPlayer, { is: 'ended' }>, 'is'>

/** The process then waits for its parent to end it, together with whatever the steps have left running. */
async function play(id: string, steps: readonly Step[]): Promise<void> {
  let answer: string | null = null
  let guidance: string | null = null
  let said = `Played ${steps.length} steps.`
  for (const [index, step] of steps.entries()) {
    if (interrupted) break
    if (step.is === 'say') said = step.text
    if (step.is === 'ask') {
      answer = await ask(`${id}-${index + 1}`, step)
      continue
    }
    if (step.is === 'steered') {
      guidance = await steered()
      continue
    }
    const end = await take(filled(step, { answer, guidance }))
    if (end !== null) {
      say({ is: 'ended', ...end })
      return
    }
  }
  if (interrupted) say({ is: 'ended', outcome: 'interrupted', text: 'Interrupted between two steps.' })
  else say({ is: 'ended', outcome: 'done', text: bounded(said) })
}

/** Plays one step; says how the turn ends if the step ends it. */
async function take(step: Step): Promise<Ended | null> {
  switch (step.is) {
    case 'say':
      say({ is: 'text', text: bounded(step.text) })
      return null
    case 'piece':
      say({ is: 'piece', text: bounded(step.text) })
      return null
    case 'use': {
      const { is: _, ...usage } = step
      goOn = Promise.withResolvers()
      say({ is: 'used', usage })
      await Promise.race([goOn.promise, interruption.promise])
      return null
    }
    case 'crash':
      process.kill(process.pid, 'SIGKILL')
      return await new Promise<never>(() => undefined)
    case 'hang':
      await interruption.promise
      return null
    case 'lie':
      say({ is: 'text', text: step.text })
      return { outcome: 'done', text: step.text }
    case 'fail': {
      const { outcome, text, wakeInMs } = step
      return { outcome, text, ...(wakeInMs === undefined ? {} : { wakeInMs }) }
    }
    case 'exit':
      return { outcome: 'done', text: 'The script ends here.' }
    // Questions and words are waited for one level up; the engine itself thinks.
    case 'ask':
    case 'steered':
    case 'plan':
    case 'reflect':
      return null
    case 'edit':
    case 'write':
    case 'delete':
    case 'run':
    case 'wait':
      return await observe(step)
  }
}

type Doing = Extract<Step, { is: 'edit' | 'write' | 'delete' | 'run' | 'wait' }>

let calls = 0

async function observe(step: Doing): Promise<Ended | null> {
  const { is: tool, ...shown } = step
  const started = performance.now()
  const input = bounded(step.is === 'run' ? step.command : JSON.stringify(shown))
  calls += 1
  say({ is: 'began', callId: `call-${calls}`, tool, input })
  const tell = ({ output, success }: StepResult) => {
    const durationMs = performance.now() - started
    say({ is: 'observed', observation: { tool, input, output: bounded(output), durationMs, success } })
  }
  try {
    tell(await perform(step, interruption.promise))
    return null
  } catch (cause) {
    const output = cause instanceof Error ? cause.message : String(cause)
    tell({ output, success: false })
    return cause instanceof Violation ? { outcome: 'invalid', text: bounded(output) } : null
  }
}

async function ask(id: string, step: Extract<Step, { is: 'ask' }>): Promise<string | null> {
  const started = performance.now()
  const answered = new Promise<string>((resolve) => answers.set(id, resolve))
  say({ is: 'asked', question: { id, kind: 'choice', title: step.question, options: step.options } })
  const answer = await Promise.race([answered, interruption.promise])
  answers.delete(id)
  const durationMs = performance.now() - started
  const input = bounded(step.question)
  const output = bounded(answer ?? 'Interrupted before an answer came.')
  const success = answer !== undefined
  say({ is: 'observed', observation: { tool: 'ask', input, output, durationMs, success } })
  return answer ?? null
}

/** Takes what was said first, also if that was before anybody waited for it. */
async function steered(): Promise<string | null> {
  const started = performance.now()
  if (words.length === 0) await Promise.race([told.promise, interruption.promise])
  told = Promise.withResolvers()
  const text = words.shift()
  const output = bounded(text ?? 'Interrupted before anybody said anything.')
  const durationMs = performance.now() - started
  const success = text !== undefined
  say({ is: 'observed', observation: { tool: 'steered', input: '', output, durationMs, success } })
  return text ?? null
}

/** Puts the latest answer in the place of {{answer}}, and what was said last in that of {{guidance}}. */
function filled(step: Step, { answer, guidance }: Record<'answer' | 'guidance', string | null>): Step {
  const put = (text: string, name: string, value: string | null) =>
    value === null ? text : text.replaceAll(`{{${name}}}`, () => value)
  const fill = (text: string) => put(put(text, 'answer', answer), 'guidance', guidance)
  if (step.is === 'write') return { ...step, text: fill(step.text) }
  if (step.is === 'edit') return { ...step, find: fill(step.find), replace: fill(step.replace) }
  return step
}
