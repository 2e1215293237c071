// The rest of providers where nobody else is asked: an agent without a daemon, and tests.
import type { ProviderRest } from '@treadle/flow/ports/provider-rest'
import type { RestBook } from './rest-book.ts'

export function aloneRest(book: RestBook, engine: string): ProviderRest {
  return {
    ask: async (place) => book.ask(place),
    failed: async (place, trouble) => book.failed(place, trouble, engine),
    succeeded: async (place, sentAt) => void book.succeeded(place, sentAt),
    leave: async (place) => book.leave(place),
  }
}
