// The first screen of a workspace in which nothing has happened yet: three steps, each with its button.
import type { Client } from '@treadle/contracts/client'
import { NewItem } from '@treadle/contracts/item'
import { useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ActionButton } from '../parts/actions.tsx'
import { oneMore } from '../parts/agents.model.ts'
import { parseForm } from '../parts/form.model.ts'
import { FormDialog, TextField, useForm } from '../parts/form-dialog.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { engineStep } from './engine-step.model.ts'
import { TEMPLATES, type Template } from './templates.model.ts'
import './start.css'

interface StartProps {
  readonly live: Live
  readonly snapshot: Snapshot
}

export function GetStarted({ live, snapshot }: StartProps) {
  const [template, setTemplate] = useState<Template | null>(null)
  const { items, agents, workspace } = snapshot
  const { engines, agents: limits } = workspace.config
  const count = oneMore(agents, limits.maxConcurrent)
  return (
    <section className="get-started" aria-labelledby="get-started">
      <h2 id="get-started" tabIndex={-1}>
        Get started
      </h2>
      <ol className="steps">
        <EngineStep live={live} chosen={engines.default} />
        <li className="card padded step" data-done={items.length > 0}>
          <h3>Add your first item</h3>
          <p className="muted">An item is one change you want. Start from a template.</p>
          <div className="options">
            {TEMPLATES.map((each) => (
              <button key={each.name} type="button" onClick={() => setTemplate(each)}>
                {each.name}
              </button>
            ))}
          </div>
        </li>
        <li className="card padded step" data-done={agents.length > 0}>
          <h3>Watch an agent work</h3>
          <p className="muted">It takes the item, changes a branch of its own and runs your tests.</p>
          {count !== null && (
            <ActionButton
              words="Start an agent"
              busyWords="Starting…"
              action={{
                key: 'add-agent',
                done: 'An agent was started.',
                failed: 'No agent could be started.',
                work: (client) => client.startAgents({ body: { count } }),
              }}
            />
          )}
        </li>
      </ol>
      {template !== null && <FirstItem live={live} template={template} onClose={() => setTemplate(null)} />}
    </section>
  )
}

const askEngines = (client: Client) => client.listEngines({})

/** The engine that will write the code: whether it was found here, and which others were. */
function EngineStep({ live, chosen }: { readonly live: Live; readonly chosen: string }) {
  const { answer, problem } = useAnswer(live, askEngines, chosen)
  const found = engineStep(answer, chosen)
  return (
    <li className="card padded step" data-done={found.isUsable}>
      <h3>{found.title}</h3>
      <p className="muted" role="status">
        {problem ?? found.text}
      </p>
      {found.others.length > 0 && <p className="muted">Also found here: {found.others.join(', ')}</p>}
      <a href={hrefOf({ is: 'settings' })}>See settings</a>
    </li>
  )
}

interface FirstItemProps {
  readonly live: Live
  readonly template: Template
  readonly onClose: () => void
}

function FirstItem({ live, template, onClose }: FirstItemProps) {
  const form = useForm({
    live,
    read: ({ text }) =>
      text('title').trim() === ''
        ? { is: 'wrong' as const, why: 'Give it a title.' }
        : parseForm(NewItem, { title: text('title'), body: text('body') }, 'The item'),
    send: (client, item) => client.addItem({ body: item }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title={template.name}
      words="Add item"
      busyWords="Adding…"
      problemAt="title"
      onClose={onClose}
      {...form}
    >
      <div className="fields">
        <TextField name="title" label="Title" maxLength={300} defaultValue={template.title} />
        <TextField name="body" label="Description" rows={6} defaultValue={template.body} />
      </div>
    </FormDialog>
  )
}
