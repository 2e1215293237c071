// The codes that decisions wait for: shown to the owner, good for one decision and once.
import type { PendingCode } from '@treadle/contracts/routes/codes'
import { CODE_MS, decideCode, WRONG_MS } from '@treadle/flow/review/confirm-code'
import { CallList } from '../offers/call-list.ts'

/** More than this at once is nobody's honest use; the oldest goes. */
const PENDING_MAX = 50

interface Shown {
  readonly id: string
  readonly what: string
  readonly code: string
  readonly expiresAt: number
  tries: number
}

interface CodesOptions {
  readonly now: () => Date
  readonly uuid: () => string
  /** Six digits. */
  readonly draw: () => string
  readonly stopping: AbortSignal
}

type CodeAnswer =
  | { readonly is: 'taken' }
  | { readonly is: 'ask'; readonly why: string; readonly expiresAt: string }
  | { readonly is: 'locked'; readonly until: string }

export class ConfirmCodes {
  readonly #options: CodesOptions
  /** By what they decide. */
  readonly #shown = new Map<string, Shown>()
  readonly #room: CallList
  #wrong: number[] = []

  constructor(options: CodesOptions) {
    this.#options = options
    this.#room = new CallList(options.stopping)
  }

  /** Takes the code of a decision, or shows the owner one to be given. `decides` names the decision exactly. */
  check(decides: string, what: string, given: string | null): CodeAnswer {
    const now = this.#options.now().getTime()
    this.#wrong = this.#wrong.filter((at) => now - at < WRONG_MS)
    const shown = this.#shown.get(decides) ?? null
    const choice = decideCode({ now, given, shown, wrong: this.#wrong })
    if (choice.is === 'locked') return { is: 'locked', until: new Date(choice.until).toISOString() }
    if (choice.is === 'taken' || choice.spent) this.#shown.delete(decides)
    if (choice.is === 'taken') return choice
    if (choice.wrong) {
      this.#wrong.push(now)
      if (shown !== null) shown.tries += 1
    }
    return { is: 'ask', why: choice.why, expiresAt: this.#show(decides, what, now) }
  }

  pending(): PendingCode[] {
    const now = this.#options.now().getTime()
    return [...this.#shown.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .map(({ id, what, code, expiresAt }) => ({
        id,
        what,
        code,
        expiresAt: new Date(expiresAt).toISOString(),
      }))
  }

  /** Asked for before looking, so that what is shown after the look is heard of. */
  ticket(): ReturnType<CallList['ticket']> {
    return this.#room.ticket()
  }

  /** The same code stays as long as it is good, so that what the owner reads is what is asked for. */
  #show(decides: string, what: string, now: number): string {
    const known = this.#shown.get(decides)
    if (known !== undefined && known.expiresAt > now) return new Date(known.expiresAt).toISOString()
    for (const [old, { expiresAt }] of this.#shown)
      if (now >= expiresAt || this.#shown.size >= PENDING_MAX) this.#shown.delete(old)
    const { uuid, draw } = this.#options
    const expiresAt = now + CODE_MS
    this.#shown.set(decides, { id: uuid(), what, code: draw(), expiresAt, tries: 0 })
    this.#room.call()
    return new Date(expiresAt).toISOString()
  }
}
