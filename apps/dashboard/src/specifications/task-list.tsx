// The tasks one by one, in the order of their phases.
import { count } from '@treadle/contracts/event/shape'
import type { SpecTask } from '@treadle/contracts/specification'
import { useEffect, useRef } from 'react'
import { Command } from '../parts/command.tsx'
import { Fold } from '../parts/fold.tsx'
import { Prose } from '../parts/prose.tsx'
import { PHASE_WORDS } from '../parts/task-graph.model.ts'
import { ACTION_TONES, tasksByPhase } from './specification.model.ts'

export function TaskList({ tasks, chosen }: { tasks: readonly SpecTask[]; chosen: string | undefined }) {
  const here = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen === undefined) return
    const task = here.current?.querySelector<HTMLElement>(`[data-task="${chosen}"] summary`)
    task?.focus({ preventScroll: true })
    task?.scrollIntoView({ block: 'center' })
  }, [chosen])
  return (
    <div ref={here} className="task-list">
      {tasksByPhase(tasks).map((group) => (
        <section key={group.phase} aria-labelledby={`phase-${group.phase}`}>
          <h3 id={`phase-${group.phase}`}>
            {PHASE_WORDS[group.phase]} <span className="number">{count(group.tasks.length, 'task')}</span>
          </h3>
          <ol>
            {group.tasks.map((task) => (
              <li key={task.id} className="card" data-task={task.id}>
                <Fold
                  key={String(chosen === task.id)}
                  initiallyOpen={chosen === task.id}
                  summary={<Head task={task} />}
                >
                  <Body task={task} />
                </Fold>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function Head({ task: { id, title, file, action, dependsOn, estimateHours } }: { task: SpecTask }) {
  return (
    <>
      <span className="number">{id}</span> <strong dir="auto">{title}</strong>
      <span className="facts muted">
        <span>
          <span className="badge" data-tone={ACTION_TONES[action]}>
            {action.toLowerCase()}
          </span>{' '}
          <code>{file}</code>
        </span>
        {dependsOn.length > 0 && <span>after {dependsOn.join(', ')}</span>}
        <span>{estimateHours} h</span>
      </span>
    </>
  )
}

function Body({ task }: { task: SpecTask }) {
  const { owner, requirements, acceptance, validation, gotchas, template } = task
  return (
    <div className="task-body">
      <dl className="fact-list">
        <div>
          <dt>Serves</dt>
          <dd>{requirements.length === 0 ? 'no requirement' : requirements.join(', ')}</dd>
        </div>
        <div>
          <dt>Owner</dt>
          <dd>{owner}</dd>
        </div>
      </dl>
      <Lines words="Done when" lines={acceptance} />
      <h5>Checked by</h5>
      <Command>{validation}</Command>
      <Lines words="Watch out for" lines={gotchas.map(({ text }) => text)} />
      {template !== null && (
        <>
          <h5>Starting point</h5>
          <Prose>{`\`\`\`\`\n${template}\n\`\`\`\``}</Prose>
        </>
      )}
    </div>
  )
}

function Lines({ words, lines }: { words: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <h5>{words}</h5>
      <ul>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </>
  )
}
