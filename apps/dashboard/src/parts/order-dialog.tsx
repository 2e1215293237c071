// An order that destroys something: what it will hit is asked for first, shown by name, and confirmed.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Order, OrderPreview } from '@treadle/contracts/order'
import { useEffect, useState } from 'react'
import { statusWords } from '../crew/crew.model.ts'
import type { Live } from '../live/live.ts'
import { problemOf, useActing } from './acting.tsx'
import { Dialog } from './dialog.tsx'

export interface OrderDialogProps {
  readonly live: Live
  readonly items: readonly Item[]
  readonly order: Order
  readonly title: string
  /** On the button that confirms. */
  readonly words: string
  readonly done: string
  readonly failed: string
  readonly onClose: () => void
}

export function OrderDialog(props: OrderDialogProps) {
  const { live, order, title, words, done, failed, onClose } = props
  const { busy, act } = useActing()
  const { preview, problem } = usePreview(live, order)
  const key = JSON.stringify(order)
  const confirm = async () => {
    if (preview === null || busy.has(key)) return
    const token = preview.confirm === null ? {} : { confirm: preview.confirm }
    await act({ key, done, failed, work: (client) => client.giveOrder({ body: { order, ...token } }) })
    onClose()
  }
  return (
    <Dialog
      title={title}
      tone="bad"
      onClose={onClose}
      actions={
        <button
          type="button"
          className="danger"
          aria-disabled={preview === null || busy.has(key)}
          onClick={() => void confirm()}
        >
          {words}
        </button>
      }
    >
      {problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      {preview === null && problem === null && <p className="muted">Looking at what it will hit…</p>}
      {preview !== null && <Impact preview={preview} items={props.items} />}
    </Dialog>
  )
}

function Impact({ preview: { impact }, items }: { preview: OrderPreview; items: readonly Item[] }) {
  const titleOf = (ref: { projectNumber: number; number: number }) =>
    items.find((each) => each.projectNumber === ref.projectNumber && each.number === ref.number)?.title
  return (
    <>
      <p>{impact.text}</p>
      {impact.agents.length > 0 && (
        <ul className="impact" aria-label="Agents it will hit">
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
      {impact.items.length > 0 && impact.agents.every(({ item }) => item === null) && (
        <ul className="impact" aria-label="Items it will hit">
          {impact.items.map((ref) => (
            <li key={itemLabel(ref)}>
              <span className="number">{itemLabel(ref)}</span> {titleOf(ref)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Good for one minute; asked for again before that is over, because it also says how things stand by then. */
const FRESH_MS = 45_000

function usePreview(live: Live, order: Order): { preview: OrderPreview | null; problem: string | null } {
  const [preview, setPreview] = useState<OrderPreview | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const asked = JSON.stringify(order)
  useEffect(() => {
    let gone = false
    const look = async () => {
      const body = { order: JSON.parse(asked) as Order }
      const why = await problemOf(
        live.client.previewOrder({ body }).then((answer) => {
          if (!gone) setPreview(answer)
        }),
      )
      if (!gone) setProblem(why)
    }
    void look()
    const timer = setInterval(() => void look(), FRESH_MS)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [live, asked])
  return { preview, problem }
}
