// What is told of a run.
import { z } from 'zod'
import { GateResult } from '../gate.ts'
import { CommitId, Instant, RunId } from '../ids.ts'
import { GoalEnd, Guidance, PaorState, Plan, Question, Reflection } from '../paor.ts'
import { StepProgress } from '../readiness.ts'
import { LeftOut, LessonNote } from '../recall.ts'
import { LearnedNote } from '../retrospective.ts'
import { Observation, PhaseRecord, Usage } from '../run.ts'
import { gatesWords } from '../words/gates.ts'
import { ANSWER_WORDS } from '../words/question.ts'
import { stepWords } from '../words/readiness.ts'
import { duration } from '../words/time.ts'
import { count, event, firstLine, line, type Sentences, spaced, why } from './shape.ts'

function noteWords({ lessonId, type, topic }: LessonNote): string {
  return `${spaced(type)} ${topic ?? lessonId.slice(0, 8)}`
}

/** As much of what an engine says as one event holds. */
export const SAID_CHARS_MAX = 4_000
/** As much of a call's input as is told when it begins; the whole of it comes with what it led to. */
export const BEGAN_CHARS_MAX = 2_000

/** What the agent tells of its run; recorded, moves nothing. */
const runNotes = [
  /** A part of what the engine says while its turn goes on. */
  event('run.said', {
    text: z.string().max(SAID_CHARS_MAX),
    /** Characters after the text that were not recorded. */
    leftOut: z.int().min(1).optional(),
  }),
  /** A tool is called; `run.observed` tells what came of it. */
  event('run.began', {
    callId: z.string().max(200),
    tool: z.string().min(1).max(100),
    input: z.string().max(BEGAN_CHARS_MAX),
  }),
  event('run.observed', { observation: Observation }),
  event('run.phase', { record: PhaseRecord }),
  /** What is done before an engine is asked, and how far it is. */
  event('run.preparing', { progress: StepProgress }),
  event('run.baseline', { base: CommitId, gates: z.array(GateResult) }),
  event('run.used', { usage: Usage }),
  event('run.resumed', {
    from: z.string().max(100),
    why,
    /** The earlier run of a goal whose plans go on in this one; left out: they are those of this run. */
    continues: RunId.optional(),
  }),
  /** Where a goal stands: planning, acting, observing, reflecting. */
  event('run.moved', { to: PaorState }),
  event('run.planned', { plan: Plan }),
  event('run.reflected', { reflection: Reflection }),
  /** It waits for a person. */
  event('run.asked', { question: Question }),
  /** What people said has reached the engine, or its next plan. */
  event('run.heard', { guidance: z.array(z.uuid()).min(1).max(100) }),
  event('run.concluded', { end: GoalEnd }),
  /** A limit of use is reached; the run goes on then, and its clock stands still until it does. */
  event('run.paused', { until: Instant, why }),
  /** The engine cannot reach its model and tries again. */
  event('run.retrying', {
    engine: z.string().min(1).max(60),
    cause: why,
    attempt: z.int().min(1),
    delayMs: z.int().min(0),
  }),
  /** What the engine cannot do here, or does otherwise than it was told. */
  event('run.noted', { engine: z.string().min(1).max(60), text: why }),
  /** The conversation of an engine, so that a later process can go on with it. */
  event('run.session', {
    engine: z.string().min(1).max(60),
    session: z.string().min(1).max(200),
    /** The earlier run of the item whose conversation goes on; left out: it began in this one. */
    from: RunId.optional(),
  }),
] as const

/** Facts that move no item. */
const facts = [
  event('run.guided', { guidance: Guidance }),
  /** What the crew knows and the run was shown, and what was kept back or left out. */
  event('run.recalled', {
    attempt: z.int().min(1),
    shown: z.array(LessonNote).max(200),
    withheld: z.array(LessonNote).max(200),
    leftOut: z.array(LessonNote.extend(LeftOut.shape)).max(200),
  }),
  /** What a failed attempt taught; recorded with the lesson. */
  event('run.learned', { note: LearnedNote }),
  /** It was looked at once its run was over. */
  event('run.reviewed', { divergences: z.int(), learned: z.int(), summary: z.string().max(1_000) }),
] as const

export const runEvents = {
  runNotes,
  facts,
  sentences: {
    'run.said': ({ text, leftOut }, { agent }) =>
      line(
        `${agent} said`,
        text.trim() === '' && leftOut !== undefined
          ? `${count(leftOut, 'character')} left out`
          : firstLine(text),
      ),
    'run.began': ({ tool, input }, { agent }) => line(`${agent} is using ${tool}`, firstLine(input), 'busy'),
    'run.observed': ({ observation: { tool, input, success } }, { agent }) =>
      success
        ? line(`${agent} used ${tool}`, firstLine(input))
        : line(`${agent}: ${tool} failed`, firstLine(input)),
    'run.phase': ({ record: { phase, outcome, durationMs, summary } }, { agent, item }) =>
      line(
        `${agent} ended the phase ${phase} of ${item}: ${spaced(outcome)} after ${duration(durationMs)}`,
        firstLine(summary),
      ),
    'run.preparing': ({ progress }, { agent, item }) =>
      line(`${agent} is ${stepWords(progress)} for ${item}`, null, 'busy'),
    'run.baseline': ({ gates }, { agent, item }) =>
      line(`${agent} ran the checks before its change for ${item}`, gatesWords(gates)),
    'run.used': ({ usage: { model, inputTokens, outputTokens, usd } }, { agent }) =>
      inputTokens + outputTokens === 0 && usd === 0
        ? line(`${agent} asked no model`, null)
        : line(
            `${agent} used ${count(inputTokens + outputTokens, 'token')} of ${model}`,
            usd === null ? null : `$${usd.toFixed(usd < 1 ? 4 : 2)}`,
          ),
    'run.resumed': ({ from, why }, { agent, item }) =>
      line(`${agent} resumed ${item} from ${from}`, why, 'busy'),
    'run.moved': ({ to }, { agent, item }) => line(`${agent} is ${to} on ${item}`, null, 'busy'),
    'run.planned': ({ plan: { iteration, tasks } }, { agent, item }) =>
      line(
        `${agent} made plan ${iteration} for ${item}`,
        tasks.map(({ text }) => firstLine(text)).join('; '),
      ),
    'run.reflected': ({ reflection: { verdict, why } }, { agent, item }) =>
      line(`${agent} checked the goal of ${item}: ${spaced(verdict)}`, firstLine(why)),
    'run.asked': ({ question: { title } }, { agent, item }) =>
      line(`${agent} has a question about ${item}`, title, 'attention'),
    'run.heard': ({ guidance }, { agent, item }) =>
      line(`${agent} took in ${count(guidance.length, 'word')} of guidance on ${item}`),
    'run.concluded': ({ end: { outcome, summary } }, { agent, item }) =>
      line(
        `${agent} ended ${item}: ${spaced(outcome)}`,
        firstLine(summary),
        outcome === 'goal_achieved' ? 'plain' : 'attention',
      ),
    'run.paused': ({ until, why }, { agent, item }) =>
      line(`${agent} waits with ${item} until ${until}`, why, 'attention'),
    'run.retrying': ({ engine, cause, delayMs }, { agent, item }) =>
      line(`${agent} waits with ${item} for ${engine}, which tries again in ${duration(delayMs)}`, cause),
    'run.noted': ({ engine, text }, { item }) => line(`${engine} on ${item}: ${firstLine(text)}`, null),
    'run.session': ({ engine, from }, { agent, item }) =>
      line(`${agent} ${from === undefined ? 'talks' : 'goes on talking'} with ${engine} about ${item}`),
    'run.guided': ({ guidance: { by, text, how } }, { item }) =>
      how === undefined
        ? line(`${by} gave guidance on ${item}`, text)
        : line(`No person answered a question about ${item}: ${ANSWER_WORDS[how]}`, text),
    'run.recalled': ({ shown, withheld, leftOut }, { agent, item }) =>
      line(
        `${agent} was shown ${count(shown.length, 'lesson')} for ${item}`,
        [
          withheld.length === 0 ? null : `withheld for a trial: ${withheld.map(noteWords).join(', ')}`,
          leftOut.length === 0 ? null : `left out: ${leftOut.map(noteWords).join(', ')}`,
        ]
          .filter((part) => part !== null)
          .join('; '),
      ),
    'run.learned': ({ note: { text, how } }, { item }) =>
      line(`Something was learned from ${item}: ${spaced(how)}`, text),
    'run.reviewed': ({ learned, summary }, { item }) =>
      line(
        `Retrospective for ${item}: ${learned === 0 ? 'no new lessons' : count(learned, 'new lesson')}`,
        summary,
      ),
  } satisfies Sentences<(typeof runNotes)[number] | (typeof facts)[number]>,
}
