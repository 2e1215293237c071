// The editor around the page, for whatever part of the page can use one; null in a browser.
import type { AlertLevel } from '@treadle/contracts/cost'
import type { HostCommand } from '@treadle/contracts/webview'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { CommandOutcome, Port } from '../live/port.ts'

export interface Host {
  /** A command that the editor carries out; a refusal is an outcome, not an error. */
  command(command: HostCommand): Promise<CommandOutcome>
  /** A message that the editor shows even while the page is hidden behind others. */
  notify(level: AlertLevel, title: string, text: string): void
}

export const PortContext = createContext<Port | null>(null)

export function useHost(): Host | null {
  return useContext(PortContext)
}

/** A fault of the editor around the page, and how to dismiss it. */
export function useHostTrouble(): { readonly trouble: string | null; readonly dismiss: () => void } {
  const port = useContext(PortContext)
  const trouble = useSyncExternalStore(port?.subscribe ?? never, port?.trouble ?? none)
  return { trouble, dismiss: port?.dismiss ?? (() => undefined) }
}

const never = () => () => undefined
const none = () => null
