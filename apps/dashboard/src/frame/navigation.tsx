import { hrefOf, type Route, type Screen } from './route.model.ts'

const WAYS: readonly { readonly to: Screen; readonly words: string }[] = [
  { to: 'crew', words: 'Crew' },
  { to: 'board', words: 'Board' },
  { to: 'inbox', words: 'Inbox' },
  { to: 'loops', words: 'Loops' },
  { to: 'activity', words: 'Activity' },
  { to: 'lessons', words: 'Lessons' },
  { to: 'health', words: 'Health' },
]

export function Navigation({ at, waiting }: { at: Route; waiting: number }) {
  return (
    <nav className="ways" aria-label="Screens">
      <ul>
        {WAYS.map(({ to, words }) => (
          <li key={to}>
            <a href={hrefOf(routeTo(to))} aria-current={isAt(at, to) ? 'page' : undefined}>
              {words}
              {to === 'inbox' && waiting > 0 && (
                <span className="count" title="wait for you">
                  {waiting}
                  <span className="unseen"> wait for you</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function routeTo(screen: Screen): Route {
  if (screen === 'loops') return { is: 'loops', item: null }
  return screen === 'activity' ? { is: 'activity', agentId: null } : { is: screen }
}

/** An item belongs to the board. */
function isAt(at: Route, screen: Screen): boolean {
  return at.is === screen || (at.is === 'item' && screen === 'board')
}
