// What can be done with the items that are selected; it is asked about first, with the number of items that it hits.
import type { Agent } from '@treadle/contracts/agent'
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { AgentField, agentIn } from '../parts/agent-field.tsx'
import type { TypedFields } from '../parts/form.model.ts'
import { FormDialog, TextField } from '../parts/form-dialog.tsx'
import {
  BULK_WORDS,
  type BulkAction,
  bulkOutcome,
  bulkTitle,
  countWords,
  heldIn,
  splitBulk,
} from './bulk.model.ts'

/** An order that was heard and not carried out; its words are for the reader. */
class Refused extends Error {
  override readonly name = 'Refused'
  override toString(): string {
    return this.message
  }
}

/** Does one thing to one item. */
export async function doOne(client: Client, item: Item, action: BulkAction): Promise<void> {
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  if (action.is === 'priority') await client.editItem({ params, body: { priority: action.to } })
  else if (action.is === 'withdraw') await client.withdrawItem({ params, body: {} })
  else if (action.is === 'reopen') await client.reopenItem({ params, body: {} })
  else {
    const order = {
      is: 'reassign',
      item: { projectNumber: item.projectNumber, number: item.number },
      to: action.to,
    } as const
    const { confirm } = await client.previewOrder({ body: { order } })
    const { failed } = await client.giveOrder({ body: { order, ...(confirm === null ? {} : { confirm }) } })
    if (failed.length > 0) throw new Refused(failed.join(' '))
  }
}

interface BulkBarProps {
  readonly items: readonly Item[]
  /** The number of items that the filters let through. */
  readonly shown: number
  readonly agents: readonly Agent[]
  readonly live: Live
  /** Moves the only selected item; null: several are selected, or it cannot be moved. */
  readonly onStep: ((by: -1 | 1) => void) | null
  /** Asks what the only selected item waits for; null: several are selected. */
  readonly onLink: (() => void) | null
  readonly onAll: () => void
  readonly onClear: () => void
  readonly onCame: (words: string, isBad: boolean) => void
}

export function BulkBar(props: BulkBarProps) {
  const { items, shown, agents, live, onStep, onLink, onAll, onClear, onCame } = props
  const { mayDecide } = useActions()
  const [asked, setAsked] = useState<BulkAction['is'] | null>(null)
  const ask = (is: BulkAction['is']) => () => {
    if (mayDecide) setAsked(is)
  }
  const button = (is: BulkAction['is'], words: string, className?: string) => (
    <button
      type="button"
      className={className}
      aria-disabled={!mayDecide}
      title={mayDecide ? undefined : OWNERS_ALONE}
      onClick={ask(is)}
    >
      {words}
    </button>
  )
  return (
    <section className="card bulk" aria-label="Selected items">
      <p>
        <strong>{countWords(items.length)} selected</strong>
      </p>
      {onStep !== null && (
        <>
          <button type="button" onClick={() => onStep(-1)}>
            Move up
          </button>
          <button type="button" onClick={() => onStep(1)}>
            Move down
          </button>
        </>
      )}
      {onLink !== null && (
        <button
          type="button"
          aria-disabled={!mayDecide}
          title={mayDecide ? undefined : OWNERS_ALONE}
          onClick={() => mayDecide && onLink()}
        >
          Waits for…
        </button>
      )}
      {button('priority', 'Priority…')}
      {button('assign', 'Assign…')}
      {button('reopen', 'Reopen…')}
      {button('withdraw', 'Withdraw…', 'danger')}
      {items.length < shown && (
        <button type="button" className="plain" onClick={onAll}>
          Select all {shown.toLocaleString('en')}
        </button>
      )}
      <button type="button" className="plain" onClick={onClear}>
        Clear
      </button>
      {asked !== null && (
        <BulkDialog
          is={asked}
          items={items}
          agents={agents}
          live={live}
          onClose={() => setAsked(null)}
          onCame={onCame}
        />
      )}
    </section>
  )
}

interface BulkDialogProps extends Pick<BulkBarProps, 'items' | 'agents' | 'live' | 'onCame'> {
  readonly is: BulkAction['is']
  readonly onClose: () => void
}

const NAMED_MAX = 5

function BulkDialog({ is, items, agents, live, onClose, onCame }: BulkDialogProps) {
  const [action, setAction] = useState<BulkAction>(() => firstOf(is))
  const [wrong, setWrong] = useState<string | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const { fitting, left } = splitBulk(items, action)
  const submit = async (typed: TypedFields) => {
    const read = actionIn(is, typed)
    if (read === null)
      return setWrong('A priority is a whole number from 0 to 1000; leave it empty for none.')
    if (done !== null || fitting.length === 0) return
    const failed: string[] = []
    let count = 0
    setDone(0)
    for (const item of splitBulk(items, read).fitting) {
      const problem = await problemOf(doOne(live.client, item, read))
      if (problem === null) count += 1
      else failed.push(`${itemLabel(item)}: ${problem}`)
      setDone(count)
    }
    await live.refresh()
    onCame(bulkOutcome(read, count, failed), failed.length > 0)
    onClose()
  }
  return (
    <FormDialog
      title={bulkTitle(action, fitting.length)}
      words={`${BULK_WORDS[is].yes} (${fitting.length.toLocaleString('en')})`}
      busyWords={done === null ? BULK_WORDS[is].yes : `${done} of ${fitting.length} done…`}
      busy={done !== null || fitting.length === 0}
      {...(is === 'withdraw' ? { tone: 'bad' as const } : {})}
      problem={wrong}
      onSubmit={submit}
      onClose={onClose}
    >
      {is === 'priority' && (
        <div className="fields" onInput={(event) => followPriority(event.target, setAction, setWrong)}>
          <TextField name="priority" label="Priority (0 is the most urgent; empty for none)" isNumber />
        </div>
      )}
      {is === 'assign' && (
        <div className="fields" onInput={(event) => setAction(followAgent(event.target))}>
          <AgentField agents={agents} />
        </div>
      )}
      <Taken items={fitting} action={action} agents={agents} />
      {is === 'withdraw' && <p>Nobody works on them any more. They can be reopened later.</p>}
      <ul className="impact">
        {fitting.slice(0, NAMED_MAX).map((item) => (
          <li key={itemLabel(item)} dir="auto">
            <span className="number">{itemLabel(item)}</span> {item.title}
          </li>
        ))}
        {fitting.length > NAMED_MAX && <li>and {countWords(fitting.length - NAMED_MAX)} more</li>}
      </ul>
      {left.length > 0 && (
        <p className="muted">
          {countWords(left.length)} stay as they are: {left.slice(0, 3).join(' ')}
        </p>
      )}
    </FormDialog>
  )
}

/** What an assignment takes from agents, and whether anybody else may take it. */
function Taken({ items, action, agents }: Pick<BulkBarProps, 'items' | 'agents'> & { action: BulkAction }) {
  const held = heldIn(items, action)
  const to = action.is === 'assign' ? agents.find(({ id }) => id === action.to) : undefined
  return (
    <>
      {held.length > 0 && (
        <p>
          {countWords(held.length)} will be taken from an agent at work: {held.slice(0, NAMED_MAX).join(', ')}
          {held.length > NAMED_MAX && ' …'}. What was done so far is kept.
        </p>
      )}
      {to?.wanted === 'stopped' && <p>{to.id} is not running, so any agent may take them.</p>}
    </>
  )
}

function firstOf(is: BulkAction['is']): BulkAction {
  return is === 'priority' || is === 'assign' ? { is, to: null } : { is }
}

/** Null: what was typed is no priority. */
function actionIn(is: BulkAction['is'], typed: TypedFields): BulkAction | null {
  if (is === 'assign') return { is, to: agentIn(typed) }
  if (is !== 'priority') return { is }
  const to = priorityIn(typed.text('priority'))
  return to === undefined ? null : { is, to }
}

/** Null: none. Undefined: no priority at all. */
function priorityIn(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isInteger(value) && value >= 0 && value <= 1_000 ? value : undefined
}

function followPriority(
  target: EventTarget,
  setAction: (action: BulkAction) => void,
  setWrong: (wrong: null) => void,
): void {
  setWrong(null)
  const to = target instanceof HTMLInputElement ? priorityIn(target.value) : undefined
  if (to !== undefined) setAction({ is: 'priority', to })
}

function followAgent(target: EventTarget): BulkAction {
  const id = target instanceof HTMLSelectElement ? target.value : ''
  return { is: 'assign', to: id === '' ? null : id }
}
