// A merge's receipt: read from beside the commit, held against what the commit names, ready to be executed again.
import type { Client } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import type { KeptReceipt, ReceiptGate, Receipt as ReceiptText } from '@treadle/contracts/receipt'
import { usd } from '@treadle/contracts/words/money'
import { useCallback } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Copyable } from '../parts/copy.tsx'
import { CriterionLine } from '../parts/criterion.tsx'
import { Output } from '../parts/output.tsx'
import { Problem } from '../parts/problem.tsx'
import {
  batchWords,
  environmentFacts,
  type Fact,
  proofFacts,
  receiptLine,
  reviewFacts,
  signatureWords,
  standingOf,
} from './receipt.model.ts'

export function Receipt({ item, live }: { item: Item; live: Live }) {
  const { projectNumber, number: issueNumber } = item
  const ask = useCallback(
    (client: Client) => client.showReceipt({ params: { projectNumber, issueNumber } }),
    [projectNumber, issueNumber],
  )
  const { answer, problem } = useAnswer(live, ask, item.mergeCommit)
  return (
    <section aria-labelledby="receipt">
      <h3 id="receipt">Receipt</h3>
      <div className="card padded receipt">
        {answer === null && problem === null && <p className="muted">Reading it…</p>}
        <Problem text={problem} />
        {answer !== null && <Kept kept={answer} live={live} />}
      </div>
    </section>
  )
}

function Kept({ kept, live }: { kept: KeptReceipt; live: Live }) {
  const standing = standingOf(kept)
  const signature = signatureWords(kept.signature)
  return (
    <>
      <p className="bound" data-tone={standing.tone} role={standing.tone === 'bad' ? 'alert' : undefined}>
        <span className="badge" data-tone={standing.tone}>
          {standing.tone === 'bad' ? 'Does not match' : 'Matches'}
        </span>{' '}
        {standing.words}
      </p>
      <dl className="fact-list">
        <Named name="Merge commit" value={kept.commit} code />
        <Named name="Tree" value={kept.tree} code />
        <Named name="Signature" value={signature.words} tone={signature.tone} />
      </dl>
      {kept.receipt !== null && <Stated predicate={kept.receipt.predicate} live={live} />}
      <h4>Verify it yourself</h4>
      <p className="muted">
        In any clone: it fetches the receipt, checks the merge out and runs the same commands again.
      </p>
      <Copyable label="the command that verifies this merge">{`treadle verify ${kept.commit}`}</Copyable>
    </>
  )
}

function Stated({ predicate, live }: { predicate: ReceiptText['predicate']; live: Live }) {
  const { merged, delivered, review, costUSD, base, head, lessons } = predicate
  const batch = batchWords(predicate)
  return (
    <>
      <h4>Checks on the merged tree</h4>
      {batch !== null && <p className="muted">{batch}</p>}
      <Checks checks={merged} live={live} none="It states none." />
      <Facts facts={[...reviewFacts(predicate), ...proofFacts(predicate)]} />
      {review.criteria !== undefined && review.criteria.length > 0 && (
        <ul className="criteria" aria-label="Criteria that the receipt states">
          {review.criteria.map(({ id, description, status }) => (
            <CriterionLine key={id} status={status} text={description} over />
          ))}
        </ul>
      )}
      <details>
        <summary>What else it states</summary>
        <div className="run-body">
          <Facts
            facts={[
              { name: 'Base', value: base.commit },
              { name: 'Head', value: head.commit },
              ...environmentFacts(predicate),
              { name: 'Cost', value: usd(costUSD) },
              { name: 'Lessons shown', value: String(lessons.length) },
              { name: 'Made', value: new Date(predicate.madeAt).toLocaleString() },
            ]}
          />
          <h4>Checks of the change alone</h4>
          <Checks checks={review.checks ?? delivered} live={live} none="It states none." />
        </div>
      </details>
    </>
  )
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, value }) => (
        <Named key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

interface NamedProps {
  readonly name: string
  readonly value: string
  readonly code?: boolean
  readonly tone?: string
}

function Named({ name, value, code = false, tone }: NamedProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-tone={tone}>{code ? <code>{value}</code> : value}</dd>
    </div>
  )
}

function Checks({ checks, live, none }: { checks: readonly ReceiptGate[]; live: Live; none: string }) {
  if (checks.length === 0) return <p className="muted">{none}</p>
  return (
    <ul className="gates">
      {checks.map((check) => (
        <Check key={check.gate} check={check} live={live} />
      ))}
    </ul>
  )
}

function Check({ check, live }: { check: ReceiptGate; live: Live }) {
  const { name, tone, words, command, notes, output } = receiptLine(check)
  return (
    <li>
      <span className="badge" data-tone={tone}>
        {words}
      </span>{' '}
      {name}
      {command !== null && <pre className="command">{command}</pre>}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      {output !== null && <Output sha256={output} live={live} name={`${name} at the merge`} />}
    </li>
  )
}
