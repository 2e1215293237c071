// A decision that wants a code: the request waits until the reader has typed it, and is sent again with it.
import { Problem } from '@treadle/contracts/problem'

/** What the reader is asked, or null while nothing is. */
export interface CodeAsked {
  /** Why the last code was not taken, or that one is wanted. */
  readonly message: string
}

const TRIES_MAX = 3

export class CodePrompt {
  readonly #listeners = new Set<() => void>()
  #asked: CodeAsked | null = null
  #answer: (code: string | null) => void = () => undefined

  readonly get = (): CodeAsked | null => this.#asked

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends the question: with six digits, or with null if the reader leaves it. */
  give(code: string | null): void {
    const answer = this.#answer
    this.#set(null)
    answer(code)
  }

  /** Asks as `ask` does, and again with a code where one is wanted. */
  reach(ask: typeof fetch): typeof fetch {
    return async (address, init = {}) => {
      let response = await ask(address, init)
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const wanted = await codeWanted(response)
        const code = wanted === null ? null : await this.#askFor(wanted)
        if (code === null) return response
        response = await ask(address, { ...init, body: withCode(init.body, code) })
      }
      return response
    }
  }

  #askFor(asked: CodeAsked): Promise<string | null> {
    // A second decision takes the place of the first, which is left undone.
    this.#answer(null)
    return new Promise((done) => {
      this.#answer = done
      this.#set(asked)
    })
  }

  #set(asked: CodeAsked | null): void {
    this.#asked = asked
    for (const listener of this.#listeners) listener()
  }
}

function withCode(body: RequestInit['body'], code: string): string {
  return JSON.stringify({ ...(JSON.parse(String(body ?? '{}')) as object), code })
}

async function codeWanted(response: Response): Promise<CodeAsked | null> {
  if (response.status !== 409) return null
  try {
    const { error } = Problem.parse(await response.clone().json())
    return error.code === 'code_needed' && !hasField(error.details, 'until')
      ? { message: error.message }
      : null
  } catch {
    // Whatever else was answered is the client's to read.
    return null
  }
}

/** A door that is shut for a while takes no code at all. */
function hasField(details: unknown, name: string): boolean {
  return typeof details === 'object' && details !== null && name in details
}
