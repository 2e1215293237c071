// Buttons that do something: one at a time each, with what came of it said aloud, and refusals where they are seen.
import { ApiError, type Client } from '@treadle/contracts/client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'

export interface Deed {
  /** One at a time of the same name. */
  readonly key: string
  /** Said once it is done, as a sentence: "agent-1 is paused." */
  readonly done: string
  /** Said before the reason: "agent-1 could not be paused." */
  readonly failed: string
  readonly work: (client: Client) => Promise<unknown>
}

interface Acting {
  readonly busy: ReadonlySet<string>
  /** False: it was refused, and the reader has been told. */
  act(deed: Deed): Promise<boolean>
  /** Said aloud; for what was done in another way. */
  say(words: string): void
}

const Context = createContext<Acting | null>(null)

export function useActing(): Acting {
  const acting = useContext(Context)
  if (acting === null) throw new Error('nobody acts here')
  return acting
}

export function ActingProvider({ live, children }: { live: Live; children: ReactNode }) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const acting = useMemo(() => {
    const act = async ({ key, done, failed, work }: Deed): Promise<boolean> => {
      setBusy((keys) => new Set([...keys, key]))
      // News that come before the answer may take the button away already.
      const deaf = live.subscribe(() => requestAnimationFrame(rescueFocus))
      const { problem, known } = await endOf(work(live.client))
      await live.refresh()
      deaf()
      setBusy((keys) => new Set([...keys].filter((each) => each !== key)))
      setSaid(problem === null ? done : '')
      setRefusal(problem === null ? null : `${known ? failed : UNKNOWN} ${problem}`)
      requestAnimationFrame(rescueFocus)
      return problem === null
    }
    return { busy, act, say: setSaid }
  }, [live, busy])
  return (
    <Context value={acting}>
      <p className="unseen" role="status">
        {said}
      </p>
      {children}
      {refusal && <Refusal text={refusal} onDismiss={() => setRefusal(null)} />}
    </Context>
  )
}

export const UNKNOWN =
  'No answer came, so it is not known whether it was done: look at the activity before you press again.'

/** Without an answer nobody can say that it was not done. */
export async function endOf(work: Promise<unknown>): Promise<{ problem: string | null; known: boolean }> {
  let known = true
  const watched = work.catch((error: unknown) => {
    known = !(error instanceof ApiError && error.code === 'unreachable')
    throw error
  })
  return { problem: await problemOf(watched), known }
}

/** What went wrong, in words for the reader; null if nothing did. */
export async function problemOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    return error instanceof ApiError ? `${error.message} ${error.hint}` : String(error)
  }
}

/** Not beside the button: an order is mostly refused because things have moved on, and the button with them. */
function Refusal({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  return (
    <div className="banner refusal" data-tone="bad" role="alert">
      <p>{text}</p>
      <button type="button" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  )
}

/** A pressed button may go with its row; without this a keyboard reader would be thrown to the top of the page. */
function rescueFocus(): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('main h2[tabindex]')?.focus({ preventScroll: true })
}

interface ActionProps {
  readonly deed: Deed
  readonly words: string
  readonly busyWords?: string
  /** What a screen reader says instead of the words; must contain them. */
  readonly label?: string
  readonly className?: string
}

export function ActionButton({ deed, words, busyWords = `${words}…`, label, className }: ActionProps) {
  const { busy, act } = useActing()
  const isBusy = busy.has(deed.key)
  return (
    <button
      type="button"
      className={className}
      aria-disabled={isBusy}
      aria-label={isBusy ? label?.replace(words, busyWords) : label}
      onClick={() => {
        if (!isBusy) void act(deed)
      }}
    >
      {isBusy ? busyWords : words}
    </button>
  )
}
