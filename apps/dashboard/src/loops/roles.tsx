// The roles: who reacts to what, what each may do, and what it did last.
import type { Client } from '@treadle/contracts/client'
import type { RoleView } from '@treadle/contracts/role'
import { PART_WORDS, POWER_WORDS, reactionWords } from '@treadle/contracts/words/role'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import './roles.css'

const read = (client: Client) => client.listRoles().then(revealAll)

/** `last` is the time of the last reading of the page. */
export function Roles({ live, last }: { readonly live: Live; readonly last: number }) {
  const { answer, problem } = useAnswer(live, read, last)
  return (
    <section className="roles" aria-labelledby="roles">
      <div className="section-head">
        <h2 id="roles">Roles</h2>
        <p className="muted">Who reacts to what</p>
      </div>
      <Problem text={problem} />
      <ul>
        {answer?.items.map((role) => (
          <Role key={role.name} role={role} now={last} />
        ))}
      </ul>
    </section>
  )
}

function Role({ role, now }: { readonly role: RoleView; readonly now: number }) {
  const { title, part, trigger, reactsTo, may, context, last } = role
  return (
    <li className="card role">
      <h3>
        {title} {part !== null && <span className="badge">{PART_WORDS[part]}</span>}
      </h3>
      <p className="muted">{role.role}</p>
      <dl>
        <dt>Starts</dt>
        <dd>
          {trigger.words}
          {trigger.everyMs !== null && `, every ${trigger.everyMs / 60_000} minutes`}
        </dd>
        <dt>Reacts to</dt>
        <dd>{reactsTo.length === 0 ? 'no events' : <Reactions of={role} />}</dd>
        <dt>May</dt>
        <dd>{may.map((power) => POWER_WORDS[power]).join(', ')}</dd>
        <dt>Context</dt>
        <dd>
          {context.strategy}
          <ul>
            {context.loads.map((load) => (
              <li key={load}>{load}</li>
            ))}
          </ul>
        </dd>
        <dt>Last time</dt>
        <dd>{last === null ? 'Never so far' : <LastTime last={last} now={now} />}</dd>
      </dl>
    </li>
  )
}

/** A part that brings the whole role is named once, beside its name. */
function Reactions({ of: { part, reactsTo } }: { readonly of: RoleView }) {
  return (
    <ul>
      {reactsTo.map((reaction) => (
        <li key={reaction.event}>
          <code>{reaction.event}</code>{' '}
          {reactionWords(part === null ? reaction : { ...reaction, part: null })}
        </li>
      ))}
    </ul>
  )
}

function LastTime({ last, now }: { readonly last: NonNullable<RoleView['last']>; readonly now: number }) {
  return (
    <>
      {timeAgo(last.at, now)}: {last.to}
      <br />
      {last.outcome ?? 'No outcome yet'}
    </>
  )
}
