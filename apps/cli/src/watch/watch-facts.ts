// What the full-screen view shows, fetched in one go.
import type { Agent } from '@treadle/contracts/agent'
import type { Answer, Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { isOfTalk, type QuestionRecord } from '@treadle/contracts/question'
import type { Review } from '@treadle/contracts/review'

export interface WatchFacts {
  readonly items: readonly Item[]
  readonly agents: readonly Agent[]
  /** Deliveries that are not decided yet. */
  readonly reviews: readonly Review[]
  readonly questions: readonly QuestionRecord[]
  /** The newest, the last one last. */
  readonly events: readonly StoredEvent[]
  readonly daily: Answer<'costTotals'>
  readonly monthly: Answer<'costTotals'>
  readonly crew: Answer<'crewMetrics'>
  readonly workspace: Answer<'workspace'>
}

const EVENTS_MAX = 200
const ENDED_MAX = 300

export async function fetchFacts(client: Client): Promise<WatchFacts> {
  const [board, agents, pending, reading, questions, events, daily, monthly, crew, workspace] =
    await Promise.all([
      client.board({ query: { ended: ENDED_MAX } }),
      client.listAgents(),
      client.listReviews({ query: { status: 'pending', limit: 1_000 } }),
      client.listReviews({ query: { status: 'in_review', limit: 1_000 } }),
      client.listQuestions({ query: { status: 'open' } }),
      client.newestEvents({ query: { limit: EVENTS_MAX } }),
      client.costTotals({ query: { period: 'daily' } }),
      client.costTotals({ query: { period: 'monthly' } }),
      client.crewMetrics({ query: { period: '7d' } }),
      client.workspace(),
    ])
  return {
    items: board.items,
    agents: agents.items,
    reviews: [...pending.items, ...reading.items],
    questions: questions.items.filter((question) => !isOfTalk(question)),
    events: events.items,
    daily,
    monthly,
    crew,
    workspace,
  }
}

/** The undecided delivery of an item; null if there is none. */
export function reviewIn({ reviews }: Pick<WatchFacts, 'reviews'>, item: Item): Review | null {
  return (
    reviews.find(
      ({ projectNumber, issueNumber }) => projectNumber === item.projectNumber && issueNumber === item.number,
    ) ?? null
  )
}
