// What a program that talks is told to plan, act and reflect: in one conversation, each time only what is new.
import { markFor, writeBlock } from '@treadle/context/block'
import type { Part } from '@treadle/context/parts'
import { promptText } from '@treadle/context/prompt-text'
import type { Plan, Verified } from '@treadle/contracts/paor'
import type { PaorFacts } from './thinker.ts'

const OUTPUT_SHOWN = 4_000

/** `request` is null in a conversation that has it. */
export function planText(facts: PaorFacts, request: string | null, said: readonly string[]): string {
  const { iteration, iterationsMax, scope, complaint, verified, reflections } = facts
  const last = reflections.at(-1)
  return joined([
    request?.trimEnd() ?? '',
    said.length === 0 ? '' : `# What people have said\n${lines(said)}`,
    scope.length === 0 ? '' : `# Keep to\n${lines(scope)}`,
    last === undefined || iteration === 1 ? '' : `# Still to do\n${lines([last.why, ...last.remaining])}`,
    // A conversation that goes on was told of the check when it reflected.
    request === null && iteration > 1 ? '' : checkWords(verified),
    complaint === null ? '' : `# The plan that you just made cannot be followed\n${complaint}`,
    `# Now: the plan for iteration ${iteration} of at most ${iterationsMax}\n${promptText('plan')}`,
  ])
}

export function actText({ tasks, scope }: Plan, facts: PaorFacts): string {
  const steps = tasks.map(({ id, text, dependsOn }) =>
    dependsOn.length === 0 ? `${id}: ${text}` : `${id}: ${text} (after ${dependsOn.join(', ')})`,
  )
  return joined([
    `# Now: carry out the plan\n${lines(steps)}`,
    scope.length === 0 ? '' : `# Keep to\n${lines(scope)}`,
    facts.verifyCommand === null ? '' : `It is checked with: ${facts.verifyCommand}`,
    'When you are done, say also how you know that it works.',
  ])
}

export function reflectText({ verified }: PaorFacts): string {
  return joined([checkWords(verified), `# Now: reflect\n${promptText('reflect')}`])
}

export const againText = (fault: string) =>
  `That could not be read: ${fault}\nAnswer with the JSON object that was asked for, and nothing else.`

function checkWords(verified: Verified | null): string {
  if (verified === null) return ''
  const { command, exitCode, output } = verified
  const ended = `# What the check says\n${command} ended with exit code ${exitCode ?? 'none'}.`
  const text = output.slice(-OUTPUT_SHOWN)
  if (text.trim() === '') return ended
  const part: Part = { name: 'task', origin: 'the check', trust: 'tool', text }
  return `${ended}\n${writeBlock(markFor([part]), { part, text, truncated: text !== output }).trimEnd()}`
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n')
const lines = (all: readonly string[]) => all.map((line) => `- ${line}`).join('\n')
