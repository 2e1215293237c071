// A switch that stays as the reader has set it, also when the page was hidden or read anew.
import { useContext, useState } from 'react'
import type { Port } from '../live/port.ts'
import { PortContext } from './host-context.tsx'

const PREFIX = 'treadle.kept.'

export function useStoredSwitch(key: string, initial: boolean): [boolean, (value: boolean) => void] {
  const port = useContext(PortContext)
  const [value, setValue] = useState(() => storedSwitch(port, key) ?? initial)
  const set = (next: boolean) => {
    setValue(next)
    if (port === null) localStorage.setItem(PREFIX + key, String(next))
    else port.keep({ kept: { ...port.kept.kept, [key]: next } })
  }
  return [value, set]
}

/** As it is set now; null if nobody has set it. */
export function storedSwitch(port: Port | null, key: string): boolean | null {
  const kept = port === null ? localStorage.getItem(PREFIX + key) : port.kept.kept[key]
  return kept === null || kept === undefined ? null : String(kept) === 'true'
}
