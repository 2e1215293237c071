// The buttons of an item; those that take something away stand apart, and are asked about first.
import type { Client } from '@treadle/contracts/client'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { type ReactNode, useState } from 'react'
import { OWNERS_ALONE, useActions } from './actions.tsx'
import { FormDialog } from './form-dialog.tsx'
import {
  ACTION_WORDS,
  actionsOf,
  cameOf,
  type DestructiveName,
  type ItemActionName,
  isDestructive,
  type OrderName,
} from './item-actions.model.ts'
import { ReopenForm } from './reopen-form.tsx'
import { hrefOf } from './route.model.ts'

interface ActionsProps {
  readonly item: Item
  /** An escalated item has a delivery that a person may take all the same. */
  readonly delivered: boolean
  /** Draws the dialog that reassigns the item. Without it, only what the item waits for is offered. */
  readonly reassign?: (onClose: () => void) => ReactNode
}

type Perform = (name: OrderName, work: (client: Client) => Promise<Item>) => Promise<boolean>

export function ItemActions({ item, delivered, reassign }: ActionsProps) {
  const [asked, setAsked] = useState<OrderName | null>(null)
  const { came, perform, busy } = usePerform(item)
  const offered = actionsOf(item, delivered)
  const shown =
    reassign === undefined ? offered.filter((name) => !isDestructive(name) && name !== 'reassign') : offered
  const takenAway = shown.filter(isDestructive)
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  // What failed is worth a word before it is tried again; what was withdrawn is only taken back.
  const isTalkedAbout = item.state === 'escalated'
  const pick = (name: OrderName) => {
    if (busy.has(keyOf(name, item))) return
    if (name === 'reopen' && !isTalkedAbout)
      void perform(name, (client) => client.reopenItem({ params, body: {} }))
    else setAsked(asked === name ? null : name)
  }
  const close = () => setAsked(null)
  const possible = asked !== null && offered.includes(asked) ? asked : null
  return (
    <div className="item-actions">
      <div className="item-buttons">
        <div className="options">
          {shown.includes('review') && <ReviewLink item={item} />}
          {shown.filter(isOrder).map((name) => (
            <Choice key={name} name={name} item={item} busy={busy.has(keyOf(name, item))} onPick={pick} />
          ))}
        </div>
        {takenAway.length > 0 && (
          <div className="options destructive">
            {takenAway.map((name) => (
              <Choice key={name} name={name} item={item} busy={busy.has(keyOf(name, item))} onPick={pick} />
            ))}
          </div>
        )}
      </div>
      {came !== null && <p className="came">{came}</p>}
      {possible === 'reopen' && (
        <ReopenForm
          item={item}
          busy={busy.has(keyOf('reopen', item))}
          onReopen={(work) => perform('reopen', work)}
          onClose={close}
        />
      )}
      {possible === 'reassign' && reassign?.(close)}
      {possible !== null && isDestructive(possible) && (
        <Confirm name={possible} item={item} perform={perform} onClose={close} />
      )}
    </div>
  )
}

function ReviewLink({ item }: { item: Item }) {
  const { projectNumber, number } = item
  return (
    <a className="button primary" href={hrefOf({ is: 'review', item: { projectNumber, number } })}>
      Review
      <span className="unseen">
        {' '}
        {itemLabel(item)} {item.title}
      </span>
    </a>
  )
}

/** What is done at once, and takes nothing away. */
function isOrder(name: ItemActionName): name is OrderName {
  return name !== 'review' && !isDestructive(name)
}

function usePerform(item: Item) {
  const { busy, act } = useActions()
  const [said, setSaid] = useState<{ readonly text: string; readonly state: Item['state'] } | null>(null)
  const perform: Perform = async (name, work) => {
    const moved: Item[] = []
    const done = await act({
      key: keyOf(name, item),
      done: `${itemLabel(item)} was ${ACTION_WORDS[name].verb}.`,
      failed: `${itemLabel(item)} could not be ${ACTION_WORDS[name].verb}.`,
      work: async (client) => moved.push(await work(client)),
    })
    const [after] = moved
    // A revert is another item; this one stays as it is.
    if (after !== undefined)
      setSaid({ text: cameOf(name, item, after), state: name === 'revert' ? item.state : after.state })
    return done
  }
  // The sentence about an action is no news any more once the item has moved on.
  return { busy, perform, came: said !== null && said.state === item.state ? said.text : null }
}

function keyOf(name: OrderName, { projectNumber, number }: ItemRef): string {
  return `${name}:${projectNumber}/${number}`
}

interface ChoiceProps {
  readonly name: OrderName
  readonly item: Item
  readonly busy: boolean
  readonly onPick: (name: OrderName) => void
}

function Choice({ name, item, busy, onPick }: ChoiceProps) {
  const { mayDecide } = useActions()
  const { words, busy: busyWords } = ACTION_WORDS[name]
  return (
    <button
      type="button"
      className={isDestructive(name) ? 'danger' : undefined}
      aria-disabled={busy || !mayDecide}
      title={mayDecide ? undefined : OWNERS_ALONE}
      aria-label={`${busy ? busyWords : words} ${itemLabel(item)} ${item.title}`}
      onClick={() => {
        if (mayDecide) onPick(name)
      }}
    >
      {busy ? busyWords : words}
    </button>
  )
}

interface AskedProps {
  readonly item: Item
  readonly perform: Perform
  readonly onClose: () => void
}

const CONFIRM_WORDS: Record<DestructiveName, { readonly yes: string; readonly text: string }> = {
  withdraw: { yes: 'Withdraw it', text: 'Nobody works on it any more. It can be reopened later.' },
  release: {
    yes: 'Release it',
    text: 'It goes back to the queue, and whoever is free takes it up, maybe the same agent.',
  },
  revert: {
    yes: 'Revert it',
    text: 'What its merge brought is taken back by an item of its own; what came later stays.',
  },
}

function confirmTitle(name: DestructiveName, item: Item): string {
  const label = itemLabel(item)
  if (name === 'release') return `Take ${label} from ${item.claimedByAgentId ?? 'its holder'}?`
  return name === 'withdraw' ? `Withdraw ${label}?` : `Revert ${label}?`
}

function Confirm({ name, item, perform, onClose }: AskedProps & { name: DestructiveName }) {
  const label = itemLabel(item)
  const holder = item.claimedByAgentId
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const confirm = async () => {
    onClose()
    await perform(name, async (client) => {
      if (name === 'revert') return (await client.revertItem({ params, body: {} })).item
      return name === 'withdraw'
        ? client.withdrawItem({ params, body: {} })
        : client.releaseItem({ params, body: {} })
    })
  }
  return (
    <FormDialog
      title={confirmTitle(name, item)}
      tone="bad"
      words={CONFIRM_WORDS[name].yes}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>
        <span className="number">{label}</span> {item.title}
      </p>
      {holder !== null && (
        <p>{holder} ends its work on it at once. What it has written is kept under a reference of its own.</p>
      )}
      <p>{CONFIRM_WORDS[name].text}</p>
    </FormDialog>
  )
}
