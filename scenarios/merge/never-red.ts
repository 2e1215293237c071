// Rounds of items that are green apart and red together, merged by the train; main is looked at after every landing.
import type { Item } from '@treadle/contracts/item'
import { runTrain } from '@treadle/flow/merge/train.run'
import type { OpenStore } from '@treadle/store/connect'
import { innocent, type Planted, plantedPair, textualPair } from './planted.ts'
import { type Files, openYard, type Yard } from './yard.ts'

export interface Round {
  readonly batch: number
  readonly pairs: number
  readonly textual: number
  readonly innocent: number
}

export interface Tally {
  readonly merges: number
  readonly merged: number
  readonly sentBack: number
  readonly conflicts: number
  readonly otherwise: number
  /** How often the target moved, and was looked at. */
  readonly landings: number
  readonly red: readonly string[]
  /** Pairs of which not exactly the first of the two in line is on main. */
  readonly unfair: readonly string[]
}

interface Sent {
  readonly item: Item
  /** Which pair it belongs to; null: to none. */
  readonly pair: string | null
}

export async function runNeverRed(store: OpenStore, rounds: readonly Round[]): Promise<Tally> {
  const shuffle = shuffler(7)
  const yard = await openYard(store, { merge: { autoResolve: false }, bare: true })
  try {
    const sent: Sent[] = []
    const red: string[] = []
    let looked = 0
    for (const round of rounds) {
      sent.push(...(await playRound(yard, round, shuffle)))
      for (const commit of yard.landings.slice(looked)) if (!yard.isGreen(commit)) red.push(commit)
      looked = yard.landings.length
    }
    return await tallyOf(yard, sent, red)
  } finally {
    yard.remove()
  }
}

let next = 0

async function playRound(yard: Yard, round: Round, shuffle: <T>(all: readonly T[]) => T[]): Promise<Sent[]> {
  const number = () => {
    next += 1
    return next
  }
  const planted = [
    ...Array.from({ length: round.pairs }, () => plantedPair(number())),
    ...Array.from({ length: round.textual }, () => textualPair(number())),
  ]
  const changes: { files: Files; pair: string | null }[] = [
    ...planted.flatMap((pair: Planted, at) => {
      const name = `${next}:${at}:${pair.kind}`
      return [pair.one, pair.other].map((files) => ({ files, pair: name }))
    }),
    ...Array.from({ length: round.innocent }, () => ({ files: innocent(number()), pair: null })),
  ]
  yard.commit(Object.assign(gone(yard), ...planted.map(({ base }) => base)))
  const sent: Sent[] = []
  for (const { files, pair } of shuffle(changes)) sent.push({ item: await yard.deliver(files), pair })
  yard.flow.settings = {
    ...yard.flow.settings,
    merge: { ...yard.flow.settings.merge, batch: round.batch },
  }
  for (const { item } of sent) await runTrain(yard.world, item)
  return sent
}

/** What earlier rounds have left goes, so that a run of the tests stays short. */
function gone(yard: Yard): Record<string, null> {
  const files = yard.scratch.sh('git ls-tree -r --name-only main').trim().split('\n')
  const left = files.filter(
    (file) => /^(lib|test|ports|seats|text)\//.test(file) && file !== 'test/itself.sh',
  )
  return Object.fromEntries(left.map((file) => [file, null]))
}

async function tallyOf(yard: Yard, sent: readonly Sent[], red: readonly string[]): Promise<Tally> {
  const ends: { state: string; pair: string | null }[] = []
  for (const { item, pair } of sent) ends.push({ state: (await yard.now(item)).state, pair })
  const count = (state: string) => ends.filter((end) => end.state === state).length
  const pairs = new Set(ends.flatMap(({ pair }) => pair ?? []))
  const unfair = [...pairs].filter((pair) => {
    const [first, second] = ends.filter((end) => end.pair === pair)
    return first?.state !== 'done' || second === undefined || second.state === 'done'
  })
  const [merged, sentBack, conflicts] = [count('done'), count('rework'), count('conflicted')]
  return {
    merges: ends.length,
    merged,
    sentBack,
    conflicts,
    otherwise: ends.length - merged - sentBack - conflicts,
    landings: yard.landings.length,
    red,
    unfair,
  }
}

export function tallyLine(tally: Tally): string {
  return `${tally.merges} merges: ${tally.merged} merged, ${tally.sentBack} sent back, ${tally.conflicts} conflicts, ${tally.otherwise} otherwise; main moved ${tally.landings} times and was red ${tally.red.length} times`
}

/** The same order every time. */
function shuffler(seed: number): <T>(all: readonly T[]) => T[] {
  let state = seed
  const draw = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  return (all) => {
    const mixed = [...all]
    for (let at = mixed.length - 1; at > 0; at -= 1) {
      const partner = draw(at + 1)
      const [one, other] = [mixed[at], mixed[partner]]
      if (one !== undefined && other !== undefined) [mixed[at], mixed[partner]] = [other, one]
    }
    return mixed
  }
}
