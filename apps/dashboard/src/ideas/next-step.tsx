// What follows a brief: its specification, made here or opened.
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import type { Specification } from '@treadle/contracts/specification'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { asTyped, FormDialog, SelectField, TickField, useForm } from '../parts/form-dialog.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { hasBrief } from './idea.model.ts'

interface NextStepProps {
  readonly idea: IdeaView
  /** The specification that there is; null: none yet. */
  readonly specification: Specification | null
  readonly live: Live
}

export function NextStep({ idea, specification, live }: NextStepProps) {
  const { mayDecide } = useActions()
  const [asking, setAsking] = useState(false)
  if (!hasBrief(idea)) return null
  return (
    <section className="card padded idea-next" aria-label="Specification">
      <p>
        {specification === null
          ? 'The brief is ready. The next step is a specification: requirements, files and tasks.'
          : `The specification has ${specification.tasks.length} tasks; it is at revision ${specification.revision}.`}
      </p>
      <p className="options">
        {specification !== null && (
          <a className="button" href={hrefOf({ is: 'specifications', idea: idea.slug, view: 'document' })}>
            Open the specification
          </a>
        )}
        <button
          type="button"
          className={specification === null ? 'primary' : ''}
          aria-disabled={!mayDecide}
          title={mayDecide ? undefined : OWNERS_ALONE}
          onClick={() => mayDecide && setAsking(true)}
        >
          {specification === null ? 'Generate specification' : 'Generate again'}
        </button>
      </p>
      {asking && <Generate idea={idea} live={live} onClose={() => setAsking(false)} />}
    </section>
  )
}

interface GenerateProps {
  readonly idea: IdeaView
  readonly live: Live
  readonly onClose: () => void
}

function Generate({ idea: { slug, userSlug }, live, onClose }: GenerateProps) {
  const form = useForm({
    live,
    read: asTyped,
    send: async (client: Client, { text, isTicked }) => {
      const targetComplexity = text('complexity') === 'full' ? 'full' : 'mvp'
      const engine = isTicked('rules') ? { engine: 'none' } : {}
      const body = { ideaSlug: slug, userSlug, options: { targetComplexity }, ...engine } as const
      await client.generateSpecification({ body })
      location.assign(hrefOf({ is: 'specifications', idea: slug, view: 'document' }))
    },
    onSent: onClose,
  })
  return (
    <FormDialog
      title="Generate specification"
      words="Generate"
      busyWords="Generating…"
      onClose={onClose}
      {...form}
    >
      <p className="muted">It is made from the documents as they stand in your repository.</p>
      <div className="fields">
        <SelectField name="complexity" label="How much of it">
          <option value="mvp">The smallest that is useful</option>
          <option value="full">All of it</option>
        </SelectField>
        <TickField name="rules" label="By rules alone, without a model" />
      </div>
    </FormDialog>
  )
}
