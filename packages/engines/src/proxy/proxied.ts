// Any engine with a key, behind a proxy of its own: the key stays outside, every call is counted and held, and what a
// turn came to is what the proxy saw.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EngineEvent, EngineOpen, EngineSession, Probed } from '@treadle/flow/ports/engine'
import type { ModelCalls } from '@treadle/flow/ports/model-calls'
import type { ProviderRest } from '@treadle/flow/ports/provider-rest'
import { type EngineSettings, openEngine } from '../catalogue.ts'
import type { Priced } from '../prices.ts'
import { type CallPrice, ModelProxy, type ProxyEvent } from './model-proxy.ts'
import { type ProxyRoute, proxyRoute } from './proxy-route.ts'

export interface ProxyWorld {
  readonly rest: ProviderRest
  /** Whom calls wait their turn with; left out: nobody. */
  readonly calls?: ModelCalls
  readonly holdMs: number
  readonly pingMs?: number
  readonly models: readonly string[] | null
}

/** A turn that is ended by a last message is over after this, or is interrupted in the program's own way. */
const CLOSING_MS = 5_000

/** The engine as it is, where it asks no model or has a login instead of a key. */
export function proxied(engine: Engine, settings: EngineSettings, world: ProxyWorld): Engine {
  const route = proxyRoute(engine.id, settings)
  if (route === null)
    return ASKS_A_MODEL.includes(engine.id)
      ? { ...engine, probe: noted(engine, withoutWords(world)) }
      : engine
  return {
    ...engine,
    holdsLimits: true,
    probe: noted(engine, WITH),
    open: (options) => openBehind(engine.id, { route, world, options }),
  }
}

/** Engines that ask a model, each of which may have a login instead of a key. */
const ASKS_A_MODEL: readonly string[] = ['claude-code', 'codex', 'gemini', 'opencode', 'acp']
const WITH = 'through the proxy: its key stays outside, and its limits hold inside a turn'
const WITHOUT =
  'not through the proxy: counted by what it says itself, its steps by the tools that it tells of, its time by the clock'

/** What the settings ask for and nobody can hold it to. */
function withoutWords({ models }: ProxyWorld): string {
  return models === null ? WITHOUT : `${WITHOUT}; engines.allowModels does not hold for it`
}

const noted = (engine: Engine, words: string) => async (): Promise<Probed> => {
  const probed = await engine.probe()
  return probed.is === 'usable' ? { ...probed, note: `${probed.note}; ${words}` } : probed
}

interface Opening {
  readonly route: ProxyRoute
  readonly world: ProxyWorld
  readonly options: EngineOpen
}

async function openBehind(name: string, { route, world, options }: Opening): Promise<EngineSession> {
  const { limits = {}, beforeCall, ...given } = options
  const token = `treadle-${randomBytes(24).toString('hex')}`
  const told = new ProxyTold(options)
  // Our own engine waits by itself before a call, and knows what else it has to stop meanwhile.
  const isOurs = name === 'native'
  const proxy = new ModelProxy({
    ...world,
    token,
    upstreams: route.upstreams,
    beforeCall: isOurs ? undefined : beforeCall,
    priceOf: (usage) => told.priced(route.prices(usage)),
    onEvent: (event) => told.take(event),
  })
  const url = await proxy.open()
  try {
    const found = openEngine(name, route.behind({ url, token }))
    if (found.is === 'unknown') throw new Error(`there is no engine ${name}`)
    const inner = await found.engine.open({
      ...given,
      ...(isOurs && beforeCall !== undefined ? { beforeCall } : {}),
      // The proxy counts for every program alike.
      onEvent: (event) => (event.is === 'used' ? undefined : options.onEvent(event)),
    })
    told.session = inner
    return behind(inner, proxy, limits)
  } catch (error) {
    proxy.close()
    throw error
  }
}

function behind(
  inner: EngineSession,
  proxy: ModelProxy,
  limits: NonNullable<EngineOpen['limits']>,
): EngineSession {
  let turn: Promise<unknown> = Promise.resolve()
  return {
    async prompt(task) {
      const book = proxy.begin(limits)
      const ended = inner.prompt(task)
      turn = ended.catch(() => undefined)
      return book.judge(await ended)
    },
    async interrupt() {
      // A call that is held is a safe point: the conversation stays whole.
      if (proxy.finish('The turn was interrupted.')) {
        const isOver = await Promise.race([turn.then(() => true), sleep(CLOSING_MS, false, { ref: false })])
        if (isOver) return
      }
      await inner.interrupt()
    },
    async stop(graceMs) {
      await inner.stop(graceMs)
      proxy.close()
    },
    ...(inner.steer === undefined ? {} : { steer: async (text) => (await inner.steer?.(text)) ?? false }),
    ...(inner.pause === undefined ? {} : { pause: async () => inner.pause?.() }),
    ...(inner.resume === undefined ? {} : { resume: async () => inner.resume?.() }),
    ...(inner.freeze === undefined ? {} : { freeze: async () => inner.freeze?.() }),
    ...(inner.thaw === undefined ? {} : { thaw: async () => inner.thaw?.() }),
  }
}

/** What the proxy says, in the words that every engine has. */
class ProxyTold {
  readonly #onEvent: (event: EngineEvent) => void
  session: EngineSession | null = null
  #rests = 0
  #isWarned = false
  #isHeld = false

  constructor({ onEvent }: EngineOpen) {
    this.#onEvent = onEvent
  }

  priced({ usd, warning, assumed }: Priced): CallPrice {
    if (warning !== null && !this.#isWarned) this.#onEvent({ is: 'noted', text: warning })
    this.#isWarned ||= warning !== null
    return assumed === undefined ? { usd } : { usd, assumed }
  }

  take(event: ProxyEvent): void {
    switch (event.is) {
      case 'used':
        this.#rests = 0
        this.#onEvent(event)
        return
      case 'resting':
        this.#rests += 1
        this.#onEvent({
          is: 'retrying',
          attempt: this.#rests,
          delayMs: event.forMs,
          cause: event.why,
        })
        return
      case 'refused':
        this.#onEvent({ is: 'noted', text: event.why })
        return
      case 'holding':
        if (this.#isHeld !== event.calls > 0) this.session?.hold?.(event.calls > 0)
        this.#isHeld = event.calls > 0
        return
    }
  }
}
