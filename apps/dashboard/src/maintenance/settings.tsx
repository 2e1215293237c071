// The settings in force, to be searched.
import { Config } from '@treadle/contracts/config'
import { useId, useMemo, useState } from 'react'
import type { Workspace } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { LogOut } from './log-out.tsx'
import { matching, settingsOf } from './maintenance.model.ts'

const DEFAULTS = Config.parse({})

/** Settings to read only: treadle.json is where they are changed, and the daemon follows it at once. */
export function Settings({ live, workspace }: { live: Live; workspace: Workspace }) {
  const id = useId()
  const [text, setText] = useState('')
  const [onlySet, setOnlySet] = useState(true)
  const settings = useMemo(() => settingsOf(workspace.config, DEFAULTS), [workspace.config])
  const shown = matching(settings, text, onlySet)
  return (
    <section aria-labelledby="settings">
      <div className="section-head">
        <h2 id="settings" tabIndex={-1}>
          Settings
        </h2>
        <p className="muted">
          Edit them in <code>treadle.json</code>; changes apply at once.
        </p>
        <label className="toggle push" htmlFor={`${id}-set`}>
          <input id={`${id}-set`} type="checkbox" checked={onlySet} onChange={() => setOnlySet(!onlySet)} />{' '}
          Only changed settings
        </label>
        <LogOut live={live} />
      </div>
      <Problems workspace={workspace} />
      <div className="fields">
        <label htmlFor={id}>Find a setting</label>
        <input
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {shown.length === 0 ? (
        <p className="empty">{text === '' ? 'Every setting is at its default.' : 'No settings match.'}</p>
      ) : (
        <dl className="card settings">
          {shown.map(({ name, value, isSet }) => (
            <div key={name} data-set={isSet}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function Problems({ workspace: { errors, warnings, holds } }: { workspace: Workspace }) {
  const said = [
    ...errors.map((text) => ({ text, tone: 'bad' })),
    ...warnings.map((text) => ({ text, tone: 'attention' })),
    ...holds.map((why) => ({ text: `No new item is claimed: ${why}.`, tone: 'attention' })),
  ]
  return (
    <ul className="settings-problems">
      {said.map(({ text, tone }) => (
        <li key={text} className="banner" data-tone={tone}>
          {text}
        </li>
      ))}
    </ul>
  )
}
