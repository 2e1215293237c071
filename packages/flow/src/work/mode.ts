// Whether an engine talks about an idea, or the interview asks its questions.
import { readsWords } from '@treadle/contracts/config/engines'
import type { Idea } from '@treadle/contracts/idea'

/** The name that asks for an interview. */
export const NO_ENGINE = 'none'

export interface ModeFacts {
  /** What whoever begins the idea asks for; null: what the settings say. */
  readonly asked: string | null
  /** ideas.engine */
  readonly setting: string | null
  /** engines.default */
  readonly usual: string
}

export function decideMode({ asked, setting, usual }: ModeFacts): Pick<Idea, 'mode' | 'engine' | 'modeWhy'> {
  const wanted = asked ?? setting ?? usual
  if (wanted === NO_ENGINE)
    return interview(
      asked === null
        ? 'ideas.engine in treadle.json is none.'
        : 'You asked for an interview, without a model.',
    )
  if (!readsWords(wanted))
    return interview(
      `The engine ${wanted} cannot read what people write, so the questions are fixed ones. Name an engine that can in ideas.engine of treadle.json, or with --engine.`,
    )
  // Whether it is there and has a key is known when it is asked; if not, the talk goes on as an interview.
  return { mode: 'engine', engine: wanted, modeWhy: null }
}

function interview(modeWhy: string): Pick<Idea, 'mode' | 'engine' | 'modeWhy'> {
  return { mode: 'interview', engine: null, modeWhy }
}
