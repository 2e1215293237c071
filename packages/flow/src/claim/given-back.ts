// Whether an item that its engine could not serve goes back to the queue once more, or to a person. Trouble that everybody
// has is the provider's and passes; trouble that comes with one item alone comes again each time.
import { duration } from '@treadle/contracts/words/time'

/** An item that went back because of its engine. */
export interface GiveBack {
  readonly at: number
  /** The engine has served other items, or calls of this one, since it went back before. */
  readonly isServing: boolean
}

export interface GiveBackFacts {
  readonly engine: string
  readonly why: string
  /** Each time since a person looked at it, it was delivered or it last got on, oldest first, this one included. */
  readonly all: readonly GiveBack[]
  readonly limits: { readonly giveBacks: number; readonly giveBackMs: number }
  /** A key or an account that was refused is mended by a person, who was told so. */
  readonly isRefused: boolean
}

export type GiveBackChoice = { readonly is: 'queue' } | { readonly is: 'person'; readonly why: string }

const WHY_MAX = 4_000

export function decideGiveBack({ engine, why, all, limits, isRefused }: GiveBackFacts): GiveBackChoice {
  const serving = all.filter(({ isServing }) => isServing).length
  const forMs = (all.at(-1)?.at ?? 0) - (all[0]?.at ?? 0)
  const isItsOwn = serving >= limits.giveBacks
  const isTooLong = !isRefused && all.length >= limits.giveBacks && forMs >= limits.giveBackMs
  if (!isItsOwn && !isTooLong) return { is: 'queue' }
  const times = `It was given back ${all.length} times because the engine ${engine} could not serve it`
  const words = isItsOwn
    ? `${times}, and ${serving} of these times the engine served other calls meanwhile: the trouble seems to come with this item. Change what it asks for, or give it another engine or model, and reopen it.`
    : `${times}, for ${duration(forMs)}. Look whether the engine can be reached, and reopen it.`
  return { is: 'person', why: `${words} The last time: ${why}`.slice(0, WHY_MAX) }
}
