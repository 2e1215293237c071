// The navigation: a link to every screen.
import { memo, useEffect, useRef } from 'react'
import { hrefOf, type Route } from '../parts/route.model.ts'
import { isAt, routeTo, SCREENS } from './screens.model.ts'

export const Navigation = memo(function Navigation({ at, waiting }: { at: Route; waiting: number }) {
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen the current one must be in sight
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement
    if (!here || !list.current) return
    const spare = (list.current.clientWidth - here.clientWidth) / 2
    list.current.scrollTo({ left: here.offsetLeft - list.current.offsetLeft - spare })
  }, [at])
  return (
    <nav className="screens" aria-label="Screens">
      <ul ref={list}>
        {SCREENS.map(({ to, words }) => (
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
})
