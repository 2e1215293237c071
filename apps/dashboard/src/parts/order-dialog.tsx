// An order that destroys something: what it will hit is asked for first, shown by name, and confirmed.
import { ApiError } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import {
  type Order,
  type OrderGiven,
  type Impact as OrderImpact,
  OrderPreview,
} from '@treadle/contracts/order'
import { useEffect, useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useActions } from './actions.tsx'
import { statusWords } from './agents.model.ts'
import { Dialog } from './dialog.tsx'
import { useDialogRequest } from './dialog-request.ts'
import { Problem } from './problem.tsx'

export interface OrderDialogProps {
  readonly live: Live
  readonly items: readonly Item[]
  readonly order: Order
  readonly title: string
  /** The words on the button that confirms. */
  readonly words: string
  readonly done: string
  readonly failed: string
  /** Called with what came of the order. */
  readonly onGiven?: (given: OrderGiven) => void
  readonly onClose: () => void
}

export function OrderDialog(props: OrderDialogProps) {
  const { live, order, title, words, done, failed, onGiven, onClose } = props
  const { say } = useActions()
  const request = useDialogRequest(live)
  const { preview, problem, renew } = usePreview(live, order)
  const [isStale, setStale] = useState(false)
  const [partly, setPartly] = useState<OrderGiven | null>(null)
  const confirm = async () => {
    if (preview === null || request.busy) return
    const token = preview.confirm === null ? {} : { confirm: preview.confirm }
    let isOver = false
    await request.try(async (client) => {
      try {
        const given = await client.giveOrder({ body: { order, ...token } })
        onGiven?.(given)
        // Failures must be read before the dialog goes.
        isOver = given.failed.length === 0
        if (!isOver) setPartly(given)
      } catch (error) {
        const asked = askedAgain(error)
        if (asked === null) throw error
        renew(asked)
        setStale(true)
      }
    })
    if (!isOver) return
    say(done)
    onClose()
  }
  const said = request.problem === null ? problem : `${request.known ? failed : ''} ${request.problem}`
  const idle = partly !== null || (preview !== null && hitsNothing(order, preview.impact))
  return (
    <Dialog
      title={title}
      tone="bad"
      onClose={onClose}
      closeWords={idle ? 'Close' : 'Cancel'}
      actions={
        !idle && (
          <button
            type="button"
            className="danger"
            aria-disabled={preview === null || request.busy}
            onClick={() => void confirm()}
          >
            {request.busy ? `${words}…` : words}
          </button>
        )
      }
    >
      <Problem text={said} />
      {isStale && partly === null && said === null && (
        <p className="wrong" role="alert">
          Nothing was done yet: things have changed, or it took too long. This is how it is now.
        </p>
      )}
      {preview === null && problem === null && <p className="muted">Checking what it affects…</p>}
      {preview !== null && partly === null && <Impact preview={preview} items={props.items} />}
      {partly !== null && <Partly given={partly} />}
    </Dialog>
  )
}

/** True for an order without effect. Not for the emergency stop, which also ends processes that nobody knows of. */
function hitsNothing({ is }: Order, { agents, items }: OrderImpact): boolean {
  const empty = agents.length === 0 && items.length === 0
  return empty && (is === 'recover' || is === 'purge' || is === 'undo_purge' || is === 'stop_all')
}

function Partly({ given: { outcome, failed } }: { given: OrderGiven }) {
  return (
    <>
      <p>It was done, but not all of it: {outcome}.</p>
      <ul className="impact wrong" role="alert" aria-label="What did not work">
        {failed.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </>
  )
}

/** Items named one by one; of more, the sentence above says how many there are. */
const ITEMS_SHOWN = 50

function Impact({ preview: { impact }, items }: { preview: OrderPreview; items: readonly Item[] }) {
  const titleOf = (ref: { projectNumber: number; number: number }) =>
    items.find((each) => each.projectNumber === ref.projectNumber && each.number === ref.number)?.title
  // Items that stand beside their agents are not named again.
  const others = impact.items.filter(({ projectNumber, number }) =>
    impact.agents.every(({ item }) => item?.projectNumber !== projectNumber || item.number !== number),
  )
  return (
    <>
      <p>{impact.brief ?? impact.text}</p>
      {impact.agents.length > 0 && (
        <ul className="impact" aria-label="Agents affected">
          {impact.agents.map(({ id, status, item }) => (
            <li key={id}>
              <strong>{id}</strong> {statusWords(status).toLowerCase()}
              {item !== null && (
                <>
                  {' on '}
                  <span className="number">{itemLabel(item)}</span> {titleOf(item)}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && impact.agents.length > 0 && <p className="muted">And these items:</p>}
      {others.length > 0 && (
        <ul className="impact" aria-label="Items affected">
          {others.slice(0, ITEMS_SHOWN).map((ref) => (
            <li key={`${ref.projectNumber}/${ref.number}`}>
              <span className="number">{itemLabel(ref)}</span> {titleOf(ref)}
            </li>
          ))}
          {others.length > ITEMS_SHOWN && <li className="muted">and {others.length - ITEMS_SHOWN} more</li>}
        </ul>
      )}
    </>
  )
}

/** The new preview in a refusal: what was confirmed is not what the order would do now. */
function askedAgain(error: unknown): OrderPreview | null {
  if (!(error instanceof ApiError) || error.code !== 'confirm_needed') return null
  const read = OrderPreview.safeParse(error.details)
  return read.success ? revealAll(read.data) : null
}

/** The age of a preview at which it is asked for again: it is good for a minute, and also says how things stand by then. */
const FRESH_MS = 45_000
/** The wait before a preview that failed is asked for again: a daemon that was away is back before long. */
const AGAIN_MS = 2_000

interface Previewed {
  readonly preview: OrderPreview | null
  readonly problem: string | null
  readonly renew: (preview: OrderPreview) => void
}

function usePreview(live: Live, order: Order): Previewed {
  const [preview, setPreview] = useState<OrderPreview | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const asked = JSON.stringify(order)
  const isTroubled = problem !== null
  useEffect(() => {
    let gone = false
    const look = async () => {
      const body = { order: JSON.parse(asked) as Order }
      const why = await problemOf(
        live.client.previewOrder({ body }).then((answer) => {
          if (!gone) setPreview(revealAll(answer))
        }),
      )
      if (!gone) setProblem(why)
    }
    if (!isTroubled) void look()
    const timer = setInterval(() => void look(), isTroubled ? AGAIN_MS : FRESH_MS)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [live, asked, isTroubled])
  return { preview, problem, renew: setPreview }
}
