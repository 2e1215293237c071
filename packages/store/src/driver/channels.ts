// LISTEN on a connection that may be replaced under way: every new one listens to the same channels.
import type { ClientBase } from 'pg'

export interface ListenHandle {
  close(): Promise<void>
}

interface Listener {
  heard(payload: string): void
  /** The connection was replaced: something may have been missed. */
  again(): void
}

export class Channels {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** To be called for each new connection, before anybody uses it. */
  async attach(client: ClientBase): Promise<void> {
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.heard(payload ?? '')
    })
    for (const channel of this.#listeners.keys()) await client.query(`listen ${quoted(channel)}`)
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.again()
  }

  /** `run` executes a statement on the connection that is attached now, if there is one. */
  async listen(
    channel: string,
    listener: Listener,
    run: (statement: string) => Promise<unknown>,
  ): Promise<ListenHandle> {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    if (listeners.size === 1) await run(`listen ${quoted(channel)}`)
    return {
      close: async () => {
        listeners.delete(listener)
        if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return
        this.#listeners.delete(channel)
        await run(`unlisten ${quoted(channel)}`)
      },
    }
  }
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
