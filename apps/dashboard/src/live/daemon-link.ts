// The link between page and daemon: direct, or through the editor around the page.
import { type Client, createClient } from '@treadle/contracts/client'
import { CodePrompt } from './code-prompt.ts'
import { type Listener, openStream } from './event-stream.ts'
import type { Port } from './port.ts'
import type { Session } from './session.ts'

/** A question that is not answered by then is asked again later. */
const READING_MS_MAX = 10_000
/** The limit for orders, which may take their time: giving one up would tell of a refusal that never was. */
const ORDER_MS_MAX = 600_000

/** A reading is given up soon, an order is not. */
export function patient(ask: typeof fetch): typeof fetch {
  return (address, init = {}) => {
    if (init.method === 'POST') return ask(address, init)
    const given = init.signal ? [init.signal] : []
    return ask(address, { ...init, signal: AbortSignal.any([...given, AbortSignal.timeout(READING_MS_MAX)]) })
  }
}

const askDaemon: typeof fetch = (...given) => fetch(...given)

export interface Link {
  readonly client: Client
  /** Where decisions of this page wait for their codes. */
  readonly codes: CodePrompt
  /** Returns the function that ends it. */
  listen(listener: Listener): () => void
}

export function daemonLink(url: string, session: Session): Link {
  const codes = new CodePrompt()
  const ask = codes.reach(patient(session.reach(askDaemon)))
  return {
    codes,
    client: createClient({ url, token: '', fetch: ask, timeoutMs: ORDER_MS_MAX }),
    listen: (listener) => openStream({ url, session, ...listener }),
  }
}

export function editorLink(port: Port): Link {
  const codes = new CodePrompt()
  const ask = codes.reach(patient(port.fetch))
  return {
    codes,
    // The host knows where the daemon is and has the key.
    client: createClient({ url: '', token: '', fetch: ask, timeoutMs: ORDER_MS_MAX }),
    listen: ({ after, onEvent, onSocket }) =>
      port.listen(after(), (pushed) => {
        if (pushed.is === 'socket') onSocket(pushed.socket)
        else for (const event of pushed.events) onEvent(event)
      }),
  }
}
