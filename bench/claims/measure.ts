// One database: everybody in turn, several rounds, so that a busy machine disturbs all alike.
import type { ItemRef } from '@treadle/contracts/ids'
import { median } from '../start/numbers.ts'
import { type Driven, drive } from './drive.ts'
import { type Gaps, timeGaps } from './gap.ts'
import { type BossBench, type Graphile, graphile, openBoss } from './peers.ts'
import { recorded, replay, type Statement } from './statements.ts'
import { addItems, type BenchWorld, claimOne, openWorld } from './world.ts'

export interface Plan {
  /** Null for the embedded database. */
  readonly serverUrl: string | null
  readonly rounds: number
  readonly claims: number
  readonly gaps: number
  /** Where graphile-worker is installed. */
  readonly tools: string
}

/** Claims that nobody counts: the compiler is at work for that long, and a daemon runs for days. */
const WARM_UP_CLAIMS = 3_000
const warmUp = ({ claims }: Plan): number => Math.max(3, Math.ceil(WARM_UP_CLAIMS / claims))

const CONTENDERS = ['ours', 'raw', 'bare', 'boss', 'bossFetch'] as const
type Contender = (typeof CONTENDERS)[number]
type Rates = Record<Contender, Driven>

export interface Measured {
  readonly rates: Rates
  /** Round by round, the same moment for both. */
  readonly overRaw: number
  readonly overBoss: number
  readonly overBare: number
  readonly statements: number
  readonly graphile: Graphile
  readonly gaps: Gaps
}

export async function measure(plan: Plan): Promise<Measured> {
  const captured = await capture(plan)
  const world = await openWorld(plan.serverUrl)
  const boss = await openBoss(world)
  try {
    const gaps = await timeGaps(world, plan.gaps)
    const items: RoundItems[] = []
    for (let round = 0; round < plan.rounds + warmUp(plan); round += 1)
      items.push(await itemsOf(world, plan, round))
    const rounds: Rates[] = []
    for (const [round, given] of items.entries()) {
      // After the first, when every table has rows; later it would make each connection plan anew in each round.
      if (round === 1) await world.pool.query('analyze')
      rounds.push(await inTurn(turnsOf({ world, boss, plan }, given, captured[round] ?? []), round))
    }
    rounds.splice(0, warmUp(plan))
    const over = (other: Contender) =>
      median(rounds.map((round) => round.ours.perSecond / round[other].perSecond))
    return {
      rates: summed(rounds),
      overRaw: over('raw'),
      overBoss: over('boss'),
      overBare: over('bare'),
      statements: captured[0]?.[0]?.length ?? 0,
      graphile: await graphile(world, plan.tools, plan.claims * plan.rounds),
      gaps,
    }
  } finally {
    await boss.close()
    await world.close()
  }
}

type Turns = Record<Contender, () => Promise<Driven>>
type RoundItems = Readonly<Record<'mine' | 'his' | 'bare', ItemRef[]>>

function turnsOf(
  { world, boss, plan }: { world: BenchWorld; boss: BossBench; plan: Plan },
  { mine, his, bare }: RoundItems,
  captured: readonly Statement[][],
): Turns {
  if (his.length !== captured.length) throw new Error('the replay has other items')
  return {
    ours: () => drive(plan.claims, (turn) => claimOne(world, mine[turn], turn)),
    raw: () => drive(plan.claims, (turn) => replay(world.pool, captured[turn] ?? [])),
    bare: () => drive(plan.claims, (turn) => updateOne(world, bare[turn], turn)),
    boss: () => boss.fetchAndComplete(plan.claims),
    bossFetch: () => boss.fetchAlone(plan.claims),
  }
}

/** Each round begins with another one. */
async function inTurn(turns: Turns, round: number): Promise<Rates> {
  const rates: Partial<Rates> = {}
  for (let nth = 0; nth < CONTENDERS.length; nth += 1) {
    const contender = CONTENDERS[(nth + round) % CONTENDERS.length]
    if (contender !== undefined) rates[contender] = await turns[contender]()
  }
  return rates as Rates
}

const projectsOf = (round: number) =>
  [1, 2, 3].map((nth) => 10 * (round + 1) + nth) as [number, number, number]

async function itemsOf(world: BenchWorld, { claims }: Plan, round: number): Promise<RoundItems> {
  const [mine, his, bare] = projectsOf(round)
  return {
    mine: await addItems(world, mine, claims),
    his: await addItems(world, his, claims),
    bare: await addItems(world, bare, claims),
  }
}

/** The statements of every claim, made once on another database with the same items. */
async function capture(plan: Plan): Promise<Statement[][][]> {
  const world = await openWorld(plan.serverUrl)
  try {
    const rounds: Statement[][][] = []
    for (let round = 0; round < plan.rounds + warmUp(plan); round += 1) {
      const [, his] = projectsOf(round)
      const items = await addItems(world, his, plan.claims)
      const claims: Statement[][] = []
      for (const [turn, item] of items.entries())
        claims.push(await recorded(() => claimOne(world, item, turn)))
      rounds.push(claims)
    }
    return rounds
  } finally {
    await world.close()
  }
}

/** The least that a claim can be: one conditional update. */
async function updateOne({ pool }: BenchWorld, item: ItemRef | undefined, turn: number): Promise<void> {
  const { rowCount } = await pool.query(
    `update items set claimed_by_agent_id = $1, claimed_at = now(), fence = fence + 1
     where project_number = $2 and number = $3 and claimed_by_agent_id is null`,
    [`agent-${(turn % 10) + 1}`, item?.projectNumber, item?.number],
  )
  if (rowCount !== 1) throw new Error('the bare update missed')
}

function summed(rounds: readonly Rates[]): Rates {
  const middle = (contender: Contender): Driven => ({
    perSecond: median(rounds.map((round) => round[contender].perSecond)),
    p50: median(rounds.map((round) => round[contender].p50)),
    slowest: Math.max(...rounds.map((round) => round[contender].slowest)),
    cpuMs: median(rounds.map((round) => round[contender].cpuMs)),
    p99: median(rounds.map((round) => round[contender].p99)),
  })
  return Object.fromEntries(CONTENDERS.map((contender) => [contender, middle(contender)])) as Rates
}
