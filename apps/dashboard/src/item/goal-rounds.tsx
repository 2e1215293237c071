// Inside an attempt: plan, act, observe, reflect, as often as it went round, and every step with what came out.
import type { GoalEnd } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import { duration } from '@treadle/contracts/words/time'
import { useState } from 'react'
import { Fold } from '../parts/fold.tsx'
import { END_WORDS, type Round, stepInput, stepTone, VERDICT_WORDS } from './run-events.model.ts'

const STEPS_SHOWN = 20

export function Rounds({ rounds }: { rounds: readonly Round[] }) {
  return (
    <ol className="rounds" aria-label="Rounds of the goal">
      {rounds.map((round, index) => (
        <li key={round.at} data-tone={toneOf(round)}>
          <Fold
            initiallyOpen={index === rounds.length - 1}
            summary={
              <>
                <strong>Round {round.plan.iteration}</strong>{' '}
                <span className="badge" data-tone={toneOf(round)}>
                  {round.reflection === null ? 'at work' : VERDICT_WORDS[round.reflection.verdict].words}
                </span>
                <span className="muted"> {round.plan.tasks[0]?.text}</span>
              </>
            }
          >
            <RoundBody round={round} />
          </Fold>
        </li>
      ))}
    </ol>
  )
}

function toneOf({ reflection }: Round) {
  return reflection === null ? 'busy' : VERDICT_WORDS[reflection.verdict].tone
}

function RoundBody({ round: { plan, steps, reflection } }: { round: Round }) {
  return (
    <dl className="round">
      <dt>Plan</dt>
      <dd>
        <ol className="steps">
          {plan.tasks.map(({ id, text, dependsOn, by }) => (
            <li key={id}>
              {text}
              {dependsOn.length > 0 && <span className="muted"> after {dependsOn.join(', ')}</span>}
              {by === 'explore' && <span className="muted"> (only reads)</span>}
            </li>
          ))}
        </ol>
        {plan.scope.length > 0 && <p className="muted">Only in {plan.scope.join(', ')}</p>}
        {plan.guidance.map((text) => (
          <p key={text} className="as-said">
            As told: {text}
          </p>
        ))}
        {plan.why !== '' && <p className="words">{plan.why}</p>}
      </dd>
      <dt>Act and observe</dt>
      <dd>{steps.length === 0 ? <p className="muted">No step was reported.</p> : <Steps steps={steps} />}</dd>
      <dt>Reflect</dt>
      <dd>
        {reflection === null && <p className="muted">It has not come to that.</p>}
        {reflection !== null && (
          <>
            <p className="as-said">{reflection.why === '' ? 'Nothing was said.' : reflection.why}</p>
            {reflection.stuck && <p className="muted">The same three times over: it is stuck.</p>}
            {reflection.question !== null && <p className="as-said">Asked: {reflection.question}</p>}
            {reflection.remaining.length > 0 && (
              <ul className="steps" aria-label="Still to be done">
                {reflection.remaining.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
            {reflection.verified !== null && (
              <details>
                <summary>
                  <code>{reflection.verified.command}</code>: exit code{' '}
                  {reflection.verified.exitCode ?? 'none'}
                </summary>
                <pre className="evidence">{reflection.verified.output || 'It printed nothing.'}</pre>
              </details>
            )}
          </>
        )}
      </dd>
    </dl>
  )
}

export function Steps({ steps }: { steps: readonly Observation[] }) {
  const [all, setAll] = useState(false)
  const hidden = all ? 0 : Math.max(0, steps.length - STEPS_SHOWN)
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          Show the {hidden} steps before
        </button>
      )}
      <ul className="observations" aria-label="Steps">
        {steps.slice(hidden).map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <Step key={hidden + index} step={step} />
        ))}
      </ul>
    </>
  )
}

function Step({ step }: { step: Observation }) {
  const [open, setOpen] = useState(false)
  const { tool, input, output, durationMs, agent } = step
  const { words, tone } = stepTone(step)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="badge" data-tone={tone}>
            {words}
          </span>{' '}
          {agent !== undefined && `${agent} `}
          {tool} <code>{stepInput(input)}</code> <span className="muted">{duration(durationMs)}</span>
        </summary>
        {/* Steps are drawn only when opened: a run may have thousands. */}
        {open && (
          <pre className="evidence">
            {input.length > 160 ? `${input}\n\n` : ''}
            {output || 'It printed nothing.'}
          </pre>
        )}
      </details>
    </li>
  )
}

export function Conclusion({ end }: { end: GoalEnd }) {
  const { words, tone } = END_WORDS[end.outcome]
  return (
    <div className="conclusion">
      <p>
        <span className="badge" data-tone={tone}>
          {words}
        </span>{' '}
        after {end.iterations === 1 ? '1 round' : `${end.iterations} rounds`}
      </p>
      {end.summary !== '' && <p className="as-said">{end.summary}</p>}
    </div>
  )
}
