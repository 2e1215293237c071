// The frame around every screen: the places on the left, the bar on top, notices, and the screen.
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { countCrew } from '../crew/crew.model.ts'
import { connectionOf, type LiveState, type Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { ActionsProvider } from '../parts/actions.tsx'
import { EmergencyStop } from '../parts/agent-orders.tsx'
import { BlockingLine } from '../queue/blocking-line.tsx'
import { queueOf } from '../queue/queue.model.ts'
import { Boundary } from './boundary.tsx'
import { showFavicon } from './favicon.ts'
import { Icon } from './icons.tsx'
import { Navigation, SubTabs } from './navigation.tsx'
import { NoticeStrip } from './notice-strip.tsx'
import { useRoute } from './route.ts'
import { Screen } from './screen.tsx'
import { nameOf } from './screens.model.ts'
import { folderOf, TopBar } from './top-bar.tsx'
import { useNotify, useReach } from './use-reach.ts'

const TICK_MS = 5_000

const CodeDialog = lazy(() => import('./code-dialog.tsx').then((loaded) => ({ default: loaded.CodeDialog })))

export function Frame({ live, state, snapshot }: { live: Live; state: LiveState; snapshot: Snapshot }) {
  const now = useNow()
  const route = useRoute()
  const { workspace, agents, items } = snapshot
  const queue = useMemo(() => queueOf(snapshot), [snapshot])
  const waiting = queue.length
  useEffect(() => {
    const count = waiting > 0 ? `(${waiting}) ` : ''
    showFavicon(waiting)
    document.title = `${count}${nameOf(route)} · Treadle · ${folderOf(workspace.root)}`
  }, [waiting, workspace.root, route])
  const [notify, setNotify] = useNotify()
  const asked = useSyncExternalStore(live.codes.subscribe, live.codes.get)
  useReach({ live, workspace, queue, on: notify })
  const { active, paused } = countCrew(agents)
  const atQueue = route.is === 'review' && route.item === null
  return (
    <ActionsProvider
      live={live}
      mayDecide={workspace.key === 'owner'}
      engine={workspace.config.engines.default}
    >
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <div className="shell">
        <Boundary part="The top bar">
          <TopBar
            live={live}
            connection={connectionOf(state)}
            snapshot={snapshot}
            notify={notify}
            onNotify={setNotify}
          />
        </Boundary>
        <div className="rail">
          <Navigation at={route} waiting={waiting} />
          <EmergencyStop live={live} items={items} loud={active + paused > 0}>
            <Icon name="stop" />
            <span className="place-name">Stop all</span>
          </EmergencyStop>
        </div>
        <main id="main" tabIndex={-1}>
          <NoticeStrip live={live} state={state} snapshot={snapshot} now={now} />
          {!atQueue && <BlockingLine questions={snapshot.questions} isShownBelow={route.is === 'now'} />}
          <SubTabs at={route} />
          <Screen live={live} state={state} snapshot={snapshot} queue={queue} now={now} />
        </main>
      </div>
      <Suspense>{asked !== null && <CodeDialog live={live} asked={asked} />}</Suspense>
    </ActionsProvider>
  )
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
