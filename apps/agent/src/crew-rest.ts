// The rest of a model for the whole crew, kept by the daemon; while that is away, for this agent alone.
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import { RestBook, restTimes } from '@treadle/engines/proxy/rest-book'
import { messageOf } from '@treadle/flow/fault'
import type { ProviderRest, RestAnswer, RestPlace } from '@treadle/flow/ports/provider-rest'
import type { Home } from './home.ts'

export interface CrewRestDeps {
  readonly id: AgentId
  readonly engine: string
  readonly home: Home
  readonly limits: Config['limits']
  readonly log: (message: string) => void
}

type Report = Parameters<ReturnType<Home['client']>['restModel']>[0]['body']['report']

export function crewRest({ id: agentId, engine, home, limits, log }: CrewRestDeps): ProviderRest {
  const own = new RestBook(
    () => new Date(),
    () => restTimes(limits),
  )
  // Of a model that nobody knows to rest, a success is no news.
  const resting = new Set<string>()
  const tell = async (place: RestPlace, report: Report): Promise<RestAnswer | null> => {
    try {
      return await home.client().restModel({ body: { agentId, engine, ...place, report } })
    } catch (error) {
      log(`the rest of ${place.model} is this agent's own: ${messageOf(error)}`)
      return null
    }
  }
  return {
    async ask(place) {
      const answer = (await tell(place, { is: 'ask' })) ?? own.ask(place)
      if (answer.is !== 'go') resting.add(keyOf(place))
      return answer
    },
    async failed(place, trouble) {
      own.failed(place, trouble, engine)
      resting.add(keyOf(place))
      await tell(place, { is: 'failed', ...trouble })
    },
    async succeeded(place, sentAt) {
      own.succeeded(place, sentAt)
      if (resting.delete(keyOf(place))) await tell(place, { is: 'succeeded', sentAt: sentAt.toISOString() })
    },
    async leave(place) {
      own.leave(place)
      await tell(place, { is: 'leave' })
    },
  }
}

const keyOf = ({ provider, model }: RestPlace) => `${provider} ${model}`
