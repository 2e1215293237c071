// The navigation: four places and a gear beside every screen, and the screens of a place that has several.
import { memo, useEffect, useRef } from 'react'
import { hrefOf, type Route } from '../parts/route.model.ts'
import { Icon } from './icons.tsx'
import { isAt, PLACES, type PlaceEntry, placeOf, routeTo } from './screens.model.ts'

export const Navigation = memo(function Navigation({ at, waiting }: { at: Route; waiting: number }) {
  const here = placeOf(at)
  return (
    <nav className="places" aria-label="Places">
      <ul>
        {PLACES.map((place) => (
          <li key={place.name} data-place={place.name}>
            <a
              href={hrefOf(routeTo(place.screens[0].to))}
              title={`${place.words} (g ${place.key})`}
              aria-label={place.name === 'gear' ? place.words : undefined}
              aria-current={here === place ? 'page' : undefined}
            >
              <Icon name={place.name} />
              <span className="place-name">{place.name === 'gear' ? 'Settings' : place.words}</span>
              {place.name === 'review' && waiting > 0 && <Count of={waiting} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
})

function Count({ of }: { of: number }) {
  return (
    <span className="count" title={`${of} need you`}>
      {of}
      <span className="unseen"> need you</span>
    </span>
  )
}

/** The screens of the place that the reader is at; nothing where it is a single one. */
export const SubTabs = memo(function SubTabs({ at }: { at: Route }) {
  const { screens, words }: PlaceEntry = placeOf(at)
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen the current one must be in sight
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement
    if (!here || !list.current) return
    const spare = (list.current.clientWidth - here.clientWidth) / 2
    list.current.scrollTo({ left: here.offsetLeft - list.current.offsetLeft - spare })
  }, [at])
  if (screens.length === 1) return null
  return (
    <nav className="sub-tabs" aria-label={words}>
      <ul ref={list}>
        {screens.map(({ to, words: name }) => (
          <li key={to}>
            <a href={hrefOf(routeTo(to))} aria-current={isAt(at, to) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
})
