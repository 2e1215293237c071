// A call of a model waits for its turn among those of the whole crew; while the daemon is away, it goes at once.
import { randomUUID } from 'node:crypto'
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import { messageOf } from '@treadle/flow/fault'
import type { CallUnderWay, ModelCalls } from '@treadle/flow/ports/model-calls'
import type { Home } from './home.ts'

interface CrewCallsDeps {
  readonly id: AgentId
  readonly home: Home
  readonly limits: Pick<Config['limits'], 'heartbeatMs'>
  readonly log: (message: string) => void
}

/** One request waits so long before it is asked again. */
const WAIT_MS = 20_000
/** A call that is under way is told again at least so often, so that it is known to whichever daemon there is. */
const TELL_MS_MAX = 30_000

export function crewCalls(deps: CrewCallsDeps): ModelCalls {
  return { begin: (model, signal) => begin(deps, model, signal) }
}

async function begin(
  { id: agentId, home, limits, log }: CrewCallsDeps,
  model: string,
  signal: AbortSignal,
): Promise<CallUnderWay | null> {
  const id = randomUUID()
  const asked = { id, agentId, pid: process.pid, model: model.slice(0, 300) }
  const end = () =>
    void home
      .client()
      .endModelCall({ params: { id } })
      // It is not told again, so that it is over soon all the same.
      .catch((error: unknown) => log(`the end of a call is not told: ${messageOf(error)}`))
  const told = (waitMs: number, goesOn: boolean) =>
    home.client().beginModelCall({ body: { ...asked, goesOn, waitMs } })
  try {
    for (let isLetGo = false; !isLetGo && !signal.aborted; )
      isLetGo = (await unlessAborted(told(WAIT_MS, false), signal))?.is === 'go'
  } catch (error) {
    log(`a call of ${model} is made without asking: ${messageOf(error)}`)
  }
  if (signal.aborted) {
    end()
    return null
  }
  const telling = setInterval(
    () => {
      told(0, true).catch((error: unknown) => log(`a call is not told: ${messageOf(error)}`))
    },
    Math.min(TELL_MS_MAX, limits.heartbeatMs),
  ).unref()
  return {
    end: () => {
      clearInterval(telling)
      end()
    },
  }
}

/** Null: whoever waits has gone. */
async function unlessAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const gone = Promise.withResolvers<null>()
  const leave = () => gone.resolve(null)
  signal.addEventListener('abort', leave, { once: true })
  asked.catch(() => undefined)
  try {
    return await Promise.race([asked, gone.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
