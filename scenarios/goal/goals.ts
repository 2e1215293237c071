// Goals that a script plays round by round, and how a test says something to them.
import { randomUUID } from 'node:crypto'
import type { EventType, TreadleEvent } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { Guidance, Plan } from '@treadle/contracts/paor'
import type { Daemon } from '../kit/daemon.ts'
import { allEvents, itemNumber, moduleOf, type Step } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

/** Begins a round. */
export function plan(text: string): Step {
  return { plan: { tasks: [{ id: 'only', text }] } }
}

/** Ends it. */
export function reflect(verdict: string, why: string, more: Readonly<Record<string, unknown>> = {}): Step {
  return { reflect: { verdict, why, ...more } }
}

export const HOLD_FILE = 'notes/hold.txt'

/** Waits in the observing phase for as long as the script says so, until the test lets it go on. */
export const VERIFY_SCRIPT = `while [ -e ${HOLD_FILE} ] && [ ! -e ../../../../home/go ]; do sleep 0.2; done
sh test.sh ${moduleOf(1)}
`

export async function startGoal(
  { client }: Pick<Daemon, 'client'>,
  goal: string,
  verify: string | null = `sh test.sh ${moduleOf(1)}`,
): Promise<Item> {
  return (await client.startRun({ body: { goal, verify } })).item
}

/** The run of the item, as soon as somebody has claimed it. */
export function runOf(daemon: Pick<Daemon, 'client'>, n = 1): Promise<string> {
  return eventually(`a run of #${n}`, async () => (await itemNumber(daemon, n)).runId ?? undefined)
}

type Of<T extends EventType> = Extract<TreadleEvent, { type: T }>

/** Every event of the type so far, oldest first; of one item, if it is named. */
export async function eventsLike<T extends EventType>(
  daemon: Pick<Daemon, 'client'>,
  type: T,
  n?: number,
): Promise<Of<T>[]> {
  return (await allEvents(daemon)).flatMap(({ event, item }) =>
    event.type === type && (n === undefined || item?.number === n) ? [event as Of<T>] : [],
  )
}

export function untilEvent<T extends EventType>(
  daemon: Pick<Daemon, 'client'>,
  type: T,
  test: (event: Of<T>) => boolean = () => true,
  n?: number,
): Promise<Of<T>> {
  return eventually(type, async () => (await eventsLike(daemon, type, n)).find(test))
}

export async function plansOf(daemon: Pick<Daemon, 'client'>, n?: number): Promise<Plan[]> {
  return (await eventsLike(daemon, 'run.planned', n)).map((event) => event.plan)
}

export async function guide(
  { client }: Pick<Daemon, 'client'>,
  id: string,
  text: string,
  answers: string | null = null,
): Promise<Guidance> {
  return (await client.guideRun({ params: { id }, body: { id: randomUUID(), text, answers } })).guidance
}
