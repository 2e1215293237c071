// Speaks to the daemon with a session in the place of a key, and takes a new one when the daemon was started anew. What
// listens at the address of a daemon that has died hears sessions that open nothing.
import { routes } from '@treadle/contracts/api'
import { isSession, pageKeyOf, sessionOf } from '@treadle/contracts/page-session'

interface SessionOptions {
  readonly url: string
  /** A key, or the session of the daemon's link. */
  readonly token: string
  /** Told of each session that is taken. */
  readonly onSession?: (session: string) => void
}

export class Session {
  readonly #options: SessionOptions
  #session: string | null
  /** The key is not kept: what the page key makes is enough. */
  #pageKey: Promise<string | null> | null

  constructor(options: SessionOptions) {
    const { token } = options
    this.#options = options
    this.#session = isSession(token) ? token : null
    this.#pageKey = isSession(token) ? null : pageKeyOf(token)
  }

  /** The session in use; without one, that of the daemon that runs now. */
  async current(): Promise<string> {
    return this.#session ?? (await this.#take()) ?? ''
  }

  /** Asks as `ask` does, in the name of this session; if it is over, once more with that of the daemon that runs now. */
  reach(ask: typeof fetch): typeof fetch {
    return async (address, init = {}) => {
      const used = await this.current()
      const response = await ask(address, withSession(init, used))
      if (response.status !== 401) {
        this.#pageKey ??= this.#askPageKey(ask, used)
        return response
      }
      const fresh = this.#session === used ? await this.#take() : this.#session
      return fresh === null || fresh === used ? response : ask(address, withSession(init, fresh))
    }
  }

  /** Takes the session of the daemon that runs now; null for a page that was never told how. */
  async #take(): Promise<string | null> {
    const { url, onSession } = this.#options
    const pageKey = await this.#pageKey
    if (pageKey === null) return null
    const health = await fetch(`${url}${routes.health.path}`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { startId } = routes.health.response.parse(await health.json())
    this.#session = await sessionOf(pageKey, { url, startId })
    onSession?.(this.#session)
    return this.#session
  }

  async #askPageKey(ask: typeof fetch, session: string): Promise<string | null> {
    try {
      const init = withSession({ signal: AbortSignal.timeout(ANSWER_MS) }, session)
      const response = await ask(`${this.#options.url}${routes.pageKey.path}`, init)
      return routes.pageKey.response.parse(await response.json()).pageKey
    } catch {
      // The next answer is the time to ask again.
      this.#pageKey = null
      return null
    }
  }
}

const ANSWER_MS = 10_000

function withSession(init: RequestInit, session: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${session}`)
  return { ...init, headers }
}
