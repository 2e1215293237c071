// Asks the browser whether it may notify; the reader has to press for that.
import { useState } from 'react'
import { useHost } from '../webview/host-context.tsx'
import { mayNotify } from './use-reach.ts'

export function NotifySwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const [refused, setRefused] = useState(false)
  if (useHost() !== null || !('Notification' in globalThis)) return null
  const turn = async () => {
    if (on && mayNotify()) return onChange(false)
    const given = await Notification.requestPermission()
    setRefused(given !== 'granted')
    onChange(given === 'granted')
  }
  return (
    <>
      <label className="toggle">
        <input type="checkbox" checked={on && mayNotify()} onChange={() => void turn()} /> Notify me in this
        browser when something needs me
      </label>
      {refused && <p className="wrong">Your browser does not allow it. Change that beside the address.</p>}
    </>
  )
}
