// Everything the page has to tell beside its screen, as one strip: the gravest notice in a line, the others behind a count.
import { timeAgo } from '@treadle/contracts/words/time'
import type { ReactNode } from 'react'
import { holdBanner } from '../costs/cost-tracker.model.ts'
import { AlertRow, useAlerts } from '../health/alert-row.tsx'
import { connectionOf, type LiveState, type Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { isLost } from '../parts/route.model.ts'
import { useHostTrouble } from '../webview/host-context.tsx'

interface StripProps {
  readonly live: Live
  readonly state: LiveState
  readonly snapshot: Snapshot
  readonly now: number
}

interface PageNotice {
  readonly key: string
  readonly tone: 'bad' | 'attention'
  readonly strong: string
  readonly more: ReactNode
}

export function NoticeStrip({ live, state, snapshot, now }: StripProps) {
  const alerts = useAlerts(live, snapshot.at)
  const { trouble, dismiss } = useHostTrouble()
  const told = [...troubles(state, snapshot, now), ...settingsNotices(snapshot)]
  const line = (notice: PageNotice) => <NoticeLine key={notice.key} notice={notice} />
  // What the reader has just asked for is answered before what was there already.
  const isLost = ({ key }: PageNotice) => key === 'lost'
  const lines = [
    ...told.filter(isLost).map(line),
    ...told.filter(({ tone }) => tone === 'bad').map(line),
    ...(trouble === null ? [] : [<HostLine key="host" trouble={trouble} onDismiss={dismiss} />]),
    ...alerts.map((alert) => <AlertRow key={alert.id} alert={alert} agents={snapshot.agents} now={now} />),
    ...told.filter((notice) => notice.tone !== 'bad' && !isLost(notice)).map(line),
  ]
  const [first, ...rest] = lines
  if (first === undefined) return null
  return (
    <section className="strip" aria-label="Notices">
      <ul>{first}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{lines.length} notices</summary>
          <ul>{rest}</ul>
        </details>
      )}
    </section>
  )
}

function NoticeLine({ notice: { tone, strong, more } }: { notice: PageNotice }) {
  return (
    <li className="banner line" data-tone={tone}>
      <p className="line-text" role={tone === 'bad' ? 'alert' : 'status'}>
        <strong>{strong}</strong> {more}
      </p>
    </li>
  )
}

/** A fault of the editor around the page. */
function HostLine({ trouble, onDismiss }: { trouble: string; onDismiss: () => void }) {
  return (
    <li className="banner line" data-tone="bad">
      <div className="line-text" role="alert">
        {trouble}{' '}
        <button type="button" onClick={onDismiss}>
          Dismiss
        </button>
      </div>
    </li>
  )
}

/** What keeps the page from being up to date, and where the reader has ended up. */
function troubles(state: LiveState, { at }: Snapshot, now: number): PageNotice[] {
  const connection = connectionOf(state)
  const found: PageNotice[] = []
  if (connection === 'offline') {
    const more = (
      <>
        You see what was read {timeAgo(new Date(at).toISOString(), now)}. Start it with{' '}
        <code>treadle up</code>; this page reconnects by itself.
      </>
    )
    found.push({ key: 'offline', tone: 'bad', strong: 'The daemon does not answer.', more })
  }
  if (connection === 'reconnecting')
    found.push({
      key: 'reconnecting',
      tone: 'bad',
      strong: 'The live connection is interrupted.',
      more: 'Until it is back, this page asks every 5 seconds.',
    })
  if (state.trouble?.is === 'failing')
    found.push({ key: 'failing', tone: 'bad', strong: state.trouble.message, more: state.trouble.hint })
  if (isLost(location.hash)) {
    const more = (
      <>
        <code>{location.hash}</code> is no screen and no item; this is the first screen.
      </>
    )
    found.push({ key: 'lost', tone: 'attention', strong: 'Nothing is at this address.', more })
  }
  return found
}

function settingsNotices({ workspace, costs }: Snapshot): PageNotice[] {
  const hold = holdBanner(costs.daily.hold)
  const settings = 'Settings:'
  return [
    ...workspace.errors.map((more) => ({ key: more, tone: 'bad' as const, strong: settings, more })),
    ...(hold === null ? [] : [{ key: 'hold', tone: hold.tone, strong: hold.strong, more: hold.why }]),
    ...(workspace.key === 'crew' ? [READ_ONLY] : []),
    ...workspace.warnings.map((more) => ({ key: more, tone: 'attention' as const, strong: settings, more })),
  ]
}

const READ_ONLY: PageNotice = {
  key: 'read-only',
  tone: 'attention',
  strong: 'Read-only.',
  more: (
    <>
      This page has the crew key. To approve, answer and give orders, run <code>treadle open</code> in your
      repository.
    </>
  ),
}
