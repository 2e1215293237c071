// Speaks to the daemon with a session in the place of a key, and takes a new one when the daemon was started anew. What
// listens at the address of a daemon that has died hears sessions that open nothing.
import { routes } from '@treadle/contracts/api'
import { isPageProof, isSession, PAGE_HEADER, pageKeyOf, sessionOf } from '@treadle/contracts/page-session'

interface SessionOptions {
  readonly url: string
  /** A key, or the session of the daemon's link. */
  readonly token: string
  /** A browser keeps a cookie: told of the proof that stands for the session beside it. Left out where there is none. */
  readonly onProof?: (proof: string) => void
  /** The proof that was kept last, maybe by another tab: a browser has one cookie for all of them. */
  readonly keptProof?: () => string | null
  /** Whether the reader has logged out in any tab: then no session is taken in place of one that is over. */
  readonly isLoggedOut?: () => boolean
}

export class Session {
  readonly #options: SessionOptions
  #session: string | null
  /** The key is not kept: what the page key makes is enough. */
  #pageKey: Promise<string | null> | null

  /** Proofs that were in use and are over. */
  readonly #refused = new Set<string>()
  /** Set while the cookie is being asked for; every request waits for it, so that only one is set. */
  #entering: Promise<void> | null = null

  constructor(options: SessionOptions) {
    const { token } = options
    const isKey = !isSession(token) && !isPageProof(token)
    this.#options = options
    this.#session = isKey ? null : token
    this.#pageKey = isKey ? pageKeyOf(token) : null
  }

  /** The session in use; without one, that of the daemon that runs now. */
  async current(): Promise<string> {
    if (this.#session === null) await this.#take()
    if (this.#options.onProof !== undefined && this.#session !== null && !isPageProof(this.#session))
      await this.#enter(this.#session)
    return this.#session ?? ''
  }

  /** Has the browser given a cookie. A daemon that refuses is asked with the session, which says why. */
  #enter(session: string): Promise<void> {
    const { url, onProof } = this.#options
    const ask = async () => {
      const init = withSession({ method: 'POST', signal: AbortSignal.timeout(ANSWER_MS) }, session)
      const response = await fetch(`${url}${routes.openSession.path}`, init)
      if (!response.ok) return
      const { proof } = routes.openSession.response.parse(await response.json())
      this.#session = proof
      onProof?.(proof)
    }
    this.#entering ??= ask().finally(() => {
      this.#entering = null
    })
    return this.#entering
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
      if (this.#options.isLoggedOut?.()) return response
      if (this.#session === used && !this.#adopt(used) && (await this.#take()) === null) return response
      const fresh = await this.current()
      return fresh === used ? response : ask(address, withSession(init, fresh))
    }
  }

  /** Goes on with the session of another tab; false if there is none but the one in use. */
  #adopt(used: string): boolean {
    const kept = this.#options.keptProof?.() ?? null
    if (kept === null || kept === used || this.#refused.has(kept)) return false
    this.#refused.add(used)
    this.#session = kept
    return true
  }

  /** Takes the session of the daemon that runs now; null for a page that was never told how. */
  async #take(): Promise<string | null> {
    const { url } = this.#options
    const pageKey = await this.#pageKey
    if (pageKey === null) return null
    const health = await fetch(`${url}${routes.health.path}`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { startId } = routes.health.response.parse(await health.json())
    this.#session = await sessionOf(pageKey, { url, startId })
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
  if (isPageProof(session)) headers.set(PAGE_HEADER, session)
  else headers.set('authorization', `Bearer ${session}`)
  return { ...init, headers }
}
