// What a program that talks is told to plan, act and reflect: in one conversation, each time only what is new.
import type { Plan, Verified } from '@treadle/contracts/paor'
import type { PaorFacts } from './thinker.ts'

const OUTPUT_SHOWN = 4_000

const PLAN_FORM = `Plan only: look around as you need to, and change nothing yet. Then answer with one JSON object and nothing else:
{"tasks":[{"id":"1","text":"what is to be done","dependsOn":[],"by":"self"}],"scope":["folders and files that the work can be kept to, or nothing"],"why":"one sentence"}
As few tasks as will do. dependsOn names the ids of tasks that come before.`

const VERDICT_FORM = `Judge whether the goal is reached, from what was observed, not from what was intended. Change nothing. Answer with one JSON object and nothing else:
{"verdict":"achieved","why":"one sentence","remaining":["what is left to do"],"question":null}
verdict is "achieved" if nothing is left, "not_yet" if more work will reach it, "needs_user" if only a person can decide how to go on (then ask in question), "impossible" if nothing can reach it.`

/** `request` is null in a conversation that has it. */
export function planText(facts: PaorFacts, request: string | null, said: readonly string[]): string {
  const { iteration, iterationsMax, scope, complaint, verified, reflections } = facts
  const last = reflections.at(-1)
  return joined([
    request ?? '',
    said.length === 0 ? '' : `# What people have said\n${lines(said)}`,
    scope.length === 0 ? '' : `# Keep to\n${lines(scope)}`,
    last === undefined || iteration === 1 ? '' : `# Still to do\n${lines([last.why, ...last.remaining])}`,
    checkWords(verified),
    complaint === null ? '' : `# The plan that you just made cannot be followed\n${complaint}`,
    `# Now: the plan for iteration ${iteration} of at most ${iterationsMax}\n${PLAN_FORM}`,
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
    'When you are done, say in a few sentences what you changed and how you know that it works.',
  ])
}

export function reflectText({ verified }: PaorFacts): string {
  return joined([checkWords(verified), `# Now: reflect\n${VERDICT_FORM}`])
}

export const againText = (fault: string) =>
  `That could not be read: ${fault}\nAnswer with the JSON object that was asked for, and nothing else.`

function checkWords(verified: Verified | null): string {
  if (verified === null) return ''
  const { command, exitCode, output } = verified
  return `# What the check says\n${command} ended with exit code ${exitCode ?? 'none'}.\n${output.slice(-OUTPUT_SHOWN)}`
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n')
const lines = (all: readonly string[]) => all.map((line) => `- ${line}`).join('\n')
