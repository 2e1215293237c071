// A turn of whoever only reads: trouble of the provider is waited for, because nothing is to be given back.
import type { Config } from '@treadle/contracts/config'
import type { EngineOutcome } from '@treadle/contracts/run'
import type { Clock } from '@treadle/flow/ports/clock'
import type { TurnEnd } from '@treadle/flow/ports/engine'

interface PatientTools {
  readonly clock: Clock
  readonly config: Config
  readonly log: (message: string) => void
}

const TROUBLE: readonly EngineOutcome[] = ['rate_limited', 'overloaded', 'network']
/** With a rest of a minute, so long is an outage waited for before it is done without. */
const TRIES_MAX = 60

export async function playPatiently(
  { clock, config, log }: PatientTools,
  what: string,
  signal: AbortSignal,
  play: () => Promise<TurnEnd>,
): Promise<TurnEnd> {
  for (let tries = 1; ; tries += 1) {
    const end = await play()
    if (!TROUBLE.includes(end.outcome) || tries >= TRIES_MAX) return end
    const named = end.restsUntil === undefined ? 0 : Date.parse(end.restsUntil) - clock.now().getTime()
    const forMs = Math.max(named, config.limits.providerRestMsMax)
    log(`${what} waits ${Math.round(forMs / 1_000)} s: ${end.outcome} ${end.text}`.slice(0, 1_000))
    await clock.sleep(forMs, signal)
  }
}
