// Buttons that do something: one at a time each, with what came of it said aloud, and refusals where they are seen.
import type { Client } from '@treadle/contracts/client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'
import { requestEnd, UNKNOWN } from '../live/request-end.ts'

export interface PageAction {
  /** A name; of actions with the same one, one at a time is done. */
  readonly key: string
  /** The sentence once it is done: "agent-1 is paused." */
  readonly done: string
  /** The sentence before the reason of a refusal: "agent-1 could not be paused." */
  readonly failed: string
  readonly work: (client: Client) => Promise<unknown>
}

interface Actions {
  readonly busy: ReadonlySet<string>
  /** False on a page that has only the crew key. */
  readonly mayDecide: boolean
  /** Who writes the code, unless something else is said. */
  readonly engine: string
  /** Does it; false if it was refused, which the reader has been told. */
  act(action: PageAction): Promise<boolean>
  /** Tells a screen reader of something that was done in another way. */
  say(words: string): void
}

const Context = createContext<Actions | null>(null)

export function useActions(): Actions {
  const actions = useContext(Context)
  if (actions === null) throw new Error('there are no actions outside of ActionsProvider')
  return actions
}

interface ActionsProviderProps {
  readonly live: Live
  readonly mayDecide: boolean
  readonly engine: string
  readonly children: ReactNode
}

export function ActionsProvider({ live, mayDecide, engine, children }: ActionsProviderProps) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const actions = useMemo(() => {
    const act = async ({ key, done, failed, work }: PageAction): Promise<boolean> => {
      setBusy((keys) => new Set([...keys, key]))
      // News that come before the answer may take the button away already.
      const deaf = live.subscribe(() => requestAnimationFrame(rescueFocus))
      const { problem, known } = await requestEnd(work(live.client))
      await live.refresh()
      deaf()
      setBusy((keys) => new Set([...keys].filter((each) => each !== key)))
      setSaid(problem === null ? done : '')
      setRefusal(problem === null ? null : `${known ? failed : UNKNOWN} ${problem}`)
      requestAnimationFrame(rescueFocus)
      return problem === null
    }
    return { busy, mayDecide, engine, act, say: setSaid }
  }, [live, busy, mayDecide, engine])
  return (
    <Context value={actions}>
      <p className="unseen" role="status">
        {said}
      </p>
      {children}
      {refusal && <Refusal text={refusal} onDismiss={() => setRefusal(null)} />}
    </Context>
  )
}

/** A refusal stands apart from the button: mostly things have moved on, and the button with them. */
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

/** Said of a button that wants the owner's key. */
export const OWNERS_ALONE = 'This wants your key. Run treadle open in your repository.'

interface ActionProps {
  readonly action: PageAction
  readonly words: string
  readonly busyWords?: string
  /** The name for a screen reader; must contain the words. */
  readonly label?: string
  readonly className?: string
}

export function ActionButton({ action, words, busyWords = `${words}…`, label, className }: ActionProps) {
  const { busy, mayDecide, act } = useActions()
  const isBusy = busy.has(action.key)
  return (
    <button
      type="button"
      className={className}
      aria-disabled={isBusy || !mayDecide}
      title={mayDecide ? undefined : OWNERS_ALONE}
      aria-label={isBusy ? label?.replace(words, busyWords) : label}
      onClick={() => {
        if (!isBusy && mayDecide) void act(action)
      }}
    >
      {isBusy ? busyWords : words}
    </button>
  )
}
