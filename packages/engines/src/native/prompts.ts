// Prompts of the native engine.
import type { Plan } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import type { PaorFacts } from '../goal/thinker.ts'

export const MAIN = `You are a software engineer at work in one folder, the working folder. You change its files with the tools
you have, and you check what you did by running what is there to be run. Paths are relative to the working folder and never
lead out of it. Somebody else commits. Do what you are asked and no more. Follow what people say to you while you work. When
you are done, say in a few sentences what you changed and how you know that it works.`

export const READER = `You are a software engineer who reads in one folder, the working folder. You change nothing. Answer what
you are asked from what you find there.`

export const EXPLORE = `You explore a code base for somebody else, who sees nothing but your last answer. You only read. Search,
look at what matters, and answer with a summary: what is where, with paths and line numbers, and nothing that you have not seen.`

export const WORKER = `You do one part of a larger task in one folder, the working folder, for somebody who sees nothing but
your last answer. Paths are relative to the working folder. Somebody else commits. When you are done, say in a few sentences
what you did and what you found.`

const PLANNER = `You plan work on a code base; others carry it out. Break the goal into the sub-tasks that are still needed, as
few as will do. A sub-task names in dependsOn the ids of those that have to be done before it. Let "explore" do a sub-task
that is to understand a large or unknown code base, and "self" all others. In scope list the folders and files that the work
can be kept to, or nothing. What people have said goes before everything else.`

const REFLECTOR = `You judge whether a goal is reached, from what was observed. Only what was observed counts, not what was
intended. verdict is "achieved" if nothing is left to do, "not_yet" if more work will reach it, "needs_user" if only a person
can decide how to go on (then ask in question), "impossible" if nothing can reach it. List in remaining what is left to do.`

const OBSERVATIONS_SHOWN = 40
const OUTPUT_SHOWN = 1_500
const EVIDENCE_SHOWN = 6_000

export interface Prompt {
  readonly system: string
  readonly text: string
}

export function planPrompt(facts: PaorFacts, files: string): Prompt {
  const { complaint, reflections, iteration, iterationsMax } = facts
  const last = reflections.at(-1)
  return {
    system: PLANNER,
    text: sections([
      ['Goal', facts.goal],
      ['What people have said', list(facts.guidance)],
      ['Keep to', list(facts.scope)],
      ['Files', files],
      ['Checked by', facts.verifyCommand ?? ''],
      ['What was planned before', list(facts.plans.map(planWords))],
      ['What the last reflection found', last === undefined ? '' : `${last.verdict}: ${last.why}`],
      ['Still to do', list(last?.remaining ?? [])],
      ['What the check says', evidenceWords(facts)],
      ['What was done last', list(facts.observations.slice(-OBSERVATIONS_SHOWN).map(observationWords))],
      ['The plan that you just made cannot be followed', complaint ?? ''],
      ['Your task', `Make the plan for iteration ${iteration} of at most ${iterationsMax}.`],
    ]),
  }
}

export function reflectPrompt(facts: PaorFacts): Prompt {
  const plan = facts.plans.at(-1)
  return {
    system: REFLECTOR,
    text: sections([
      ['Goal', facts.goal],
      ['What people have said', list(facts.guidance)],
      ['The plan', plan === undefined ? '' : planWords(plan)],
      ['What was observed', list(facts.observations.slice(-OBSERVATIONS_SHOWN).map(observationWords))],
      ['What was said at the end', facts.said],
      ['What the check says', evidenceWords(facts)],
      ['Your task', 'Judge whether the goal is reached.'],
    ]),
  }
}

/** The whole of what a plan is about, at the head of the acting phase. */
export function actPrompt(plan: Plan, facts: PaorFacts): string {
  const last = facts.reflections.at(-1)
  return sections([
    ['Goal', facts.goal],
    ['What people have said', list(plan.guidance)],
    ['Keep to', list(plan.scope)],
    ['The plan', planWords(plan)],
    ['Checked by', facts.verifyCommand ?? ''],
    ['Left over from before', list(last?.remaining ?? [])],
    ['What the check says', evidenceWords(facts)],
  ])
}

function planWords({ iteration, tasks }: Plan): string {
  const lines = tasks.map(({ id, text, dependsOn }) => {
    const after = dependsOn.length === 0 ? '' : ` (after ${dependsOn.join(', ')})`
    return `${id}: ${text}${after}`
  })
  return `Iteration ${iteration}: ${lines.join('; ')}`
}

function observationWords({ tool, input, output, success, agent, denied }: Observation): string {
  const who = agent === undefined ? '' : `${agent} `
  const how = success ? 'worked' : 'FAILED'
  const end = denied === true ? 'NOT ALLOWED' : how
  return `${who}${tool} ${input.slice(0, 300)} ${end}: ${ends(output, OUTPUT_SHOWN)}`
}

function evidenceWords({ verified }: PaorFacts): string {
  if (verified === null) return ''
  const { command, exitCode, output } = verified
  return `${command} ended with exit code ${exitCode ?? 'none'}.\n${ends(output, EVIDENCE_SHOWN)}`
}

function ends(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max / 2)}\n…\n${text.slice(-max / 2)}`
}

const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')

function sections(parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `# ${title}\n${text}`)
    .join('\n\n')
}
