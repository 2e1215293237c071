// The decision about a specification: approve the revision that was read, or ask for changes.
import { ApiError, type Client } from '@treadle/contracts/client'
import { count } from '@treadle/contracts/event/shape'
import { specAskedAbout } from '@treadle/contracts/question'
import type { SpecificationView } from '@treadle/contracts/specification'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { ActionButton, OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import type { FormRead } from '../parts/form.model.ts'
import { FormDialog, TextField, useForm } from '../parts/form-dialog.tsx'
import { hrefOf, QUEUE } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { differenceIn } from './specification.model.ts'

interface DecideProps {
  readonly specification: SpecificationView
  readonly live: Live
  readonly now: number
  /** Called once changes were asked for. */
  readonly onRequested: () => void
}

export function Decide({ specification, live, now, onRequested }: DecideProps) {
  const { slug, revision, status, validation, approvedAt, approvedBy, waiting, waitingWhy, waitingFor } =
    specification
  const { mayDecide } = useActions()
  const [asking, setAsking] = useState(false)
  const [difference, setDifference] = useState<string | null>(null)
  const approve = async (client: Client) => {
    try {
      await client.approveSpecification({ params: { id: slug }, body: { revision } })
      setDifference(null)
    } catch (error) {
      const found = error instanceof ApiError ? differenceIn(error.details) : null
      setDifference(revealAll(found))
      throw found === null ? error : withoutDifference(error)
    }
  }
  return (
    <section className="card padded decision" aria-label="Decision">
      {approvedAt !== null && status === 'approved' && (
        <p>
          Approved by {approvedBy} <TimeAgo at={approvedAt} now={now} />.{' '}
          <a href={hrefOf({ is: 'builds', build: slug })}>Show the build</a>
        </p>
      )}
      {status === 'revising' && waitingFor === null && (
        <p role="status">The changes that were asked for are being made…</p>
      )}
      {!validation.ok && <p className="muted">It has problems, so it cannot be approved yet.</p>}
      {waitingFor !== null && (
        <p className="muted">
          A model is to write the next revision. {waitingFor.words} {waitingFor.hint}
        </p>
      )}
      {waiting && waitingFor === null && status === 'generated' && (
        <p className="muted">The next revision is being written. Approving this one stops that.</p>
      )}
      {waitingWhy !== null && <p className="muted">{waitingWhy}</p>}
      <Asked slug={slug} live={live} />
      <div className="options">
        {status !== 'approved' && validation.ok && (
          <ActionButton
            className={waiting ? '' : 'primary'}
            words="Approve"
            busyWords="Approving…"
            action={{
              key: `approve:${slug}`,
              done: `Revision ${revision} is approved.`,
              failed: `Revision ${revision} was not approved.`,
              work: approve,
            }}
          />
        )}
        <button
          type="button"
          aria-disabled={!mayDecide}
          title={mayDecide ? undefined : OWNERS_ALONE}
          onClick={() => mayDecide && setAsking(true)}
        >
          Request changes
        </button>
      </div>
      {difference !== null && (
        <div role="alert">
          <p>It changed since you read it. This is the difference:</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
          <pre className="evidence" tabIndex={0}>
            {difference}
          </pre>
        </div>
      )}
      {asking && (
        <RequestChanges slug={slug} live={live} onSent={onRequested} onClose={() => setAsking(false)} />
      )}
    </section>
  )
}

/** Questions about it are answered where all others are. */
function Asked({ slug, live }: Pick<DecideProps, 'live'> & { readonly slug: string }) {
  const asked = live
    .get()
    .snapshot?.questions.filter((each) => each.status === 'open' && specAskedAbout(each) === slug)
  if (asked === undefined || asked.length === 0) return null
  return (
    <p>
      <a href={hrefOf(QUEUE)}>{count(asked.length, 'open question')} about it</a>
    </p>
  )
}

/** The difference stands by itself, so it is not part of the sentence. */
function withoutDifference(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code, message, details } = error
  const [sentence = ''] = message.split('\n')
  return new ApiError(status, {
    code,
    message: sentence.replace(/:$/, '.'),
    hint: 'The difference is shown beside the report.',
    ...(details === undefined ? {} : { details: null }),
  })
}

interface RequestChangesProps {
  readonly slug: string
  readonly live: Live
  readonly onSent: () => void
  readonly onClose: () => void
}

const TEXT_CHARS_MAX = 4_000

function RequestChanges({ slug, live, onSent, onClose }: RequestChangesProps) {
  const form = useForm<string>({
    live,
    read: ({ text }) => readRequest(text('text')),
    send: (client, text) => client.reviseSpecification({ params: { id: slug }, body: { text } }),
    onSent: () => {
      onSent()
      onClose()
    },
  })
  return (
    <FormDialog
      title="Request changes"
      words="Request changes"
      busyWords="Sending…"
      problemAt="text"
      onClose={onClose}
      {...form}
    >
      <div className="fields">
        <TextField name="text" label="What should change?" rows={5} maxLength={TEXT_CHARS_MAX} />
      </div>
      <p className="muted">What you edited in the files by hand stays.</p>
    </FormDialog>
  )
}

function readRequest(text: string): FormRead<string> {
  return text.trim() === ''
    ? { is: 'wrong', why: 'Say what should change.' }
    : { is: 'ready', value: text.trim() }
}
