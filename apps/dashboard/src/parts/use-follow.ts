// A list that follows what comes until its reader scrolls up; `follow` is the way back down.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So close to the end counts as at the end. */
const NEAR_PX = 24

interface Follow<E extends HTMLElement> {
  readonly list: RefObject<E | null>
  readonly following: boolean
  readonly look: () => void
  readonly follow: () => void
}

/** `entries` is another object when there is more to show. */
export function useFollow<E extends HTMLElement>(entries: unknown): Follow<E> {
  const list = useRef<E>(null)
  const [following, setFollowing] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: more entries mean that the end is further down
  useLayoutEffect(() => {
    if (following) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [following, entries])
  // Letters that arrive later and a field that grows move the end as well.
  useEffect(() => {
    const at = list.current
    if (!following || at === null) return
    const watch = new ResizeObserver(() => at.scrollTo({ top: at.scrollHeight }))
    watch.observe(at)
    if (at.firstElementChild !== null) watch.observe(at.firstElementChild)
    return () => watch.disconnect()
  }, [following])
  const look = () => {
    const at = list.current
    if (at !== null) setFollowing(at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX)
  }
  return { list, following, look, follow: () => setFollowing(true) }
}
