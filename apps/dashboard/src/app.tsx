// The app: asks for a key, says what is wrong, or shows the page.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Frame } from './frame/frame.tsx'
import { Away, Failing, HostRefused, KeyNeeded, KeyRefused, Loading } from './frame/notices.tsx'
import { daemonLink, editorLink, type Link } from './live/daemon-link.ts'
import { LIVE_START, pageViewOf } from './live/live.model.ts'
import { Live } from './live/live.ts'
import type { Port } from './live/port.ts'
import { Session } from './live/session.ts'
import {
  forgetProof,
  isLoggedOut,
  keepProof,
  keptProof,
  takeFromAddress,
  takeToken,
  whenLoggedOut,
} from './live/token.ts'
import { PortContext } from './webview/host-context.tsx'

export function App({ port }: { port: Port | null }) {
  return <PortContext value={port}>{port === null ? <InBrowser /> : <InEditor port={port} />}</PortContext>
}

/** The editor has the token, so there is nothing to ask for. */
function InEditor({ port }: { port: Port }) {
  const link = useMemo(() => editorLink(port), [port])
  return <Connected link={link} onToken={null} />
}

function InBrowser() {
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    // A new link opened in the same tab changes only the fragment, which does not load the page again.
    const onHash = () => setToken((known) => takeFromAddress() ?? known)
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  useEffect(() => whenLoggedOut(() => setToken(null)), [])
  const enter = (given: string) => setToken(given)
  const link = useMemo(() => (token === null ? null : linkFor(token)), [token])
  if (link === null) return <KeyNeeded onToken={enter} />
  return <Connected key={token} link={link} onToken={enter} />
}

function linkFor(token: string): Link {
  const url = location.origin
  return daemonLink(url, new Session({ url, token, onProof: keepProof, keptProof, isLoggedOut }))
}

interface ConnectedProps {
  readonly link: Link
  /** Takes a key that the reader pastes; null inside an editor, which has it already. */
  readonly onToken: ((token: string) => void) | null
}

function Connected({ link, onToken }: ConnectedProps) {
  const live = useLive(link)
  const state = useSyncExternalStore(live?.subscribe ?? never, live?.get ?? start)
  const screen = pageViewOf(state)
  useEffect(() => {
    if (screen === 'refused' && onToken !== null) forgetProof()
  }, [screen, onToken])
  if (live === null) return <Loading />
  if (screen === 'refused') return onToken === null ? <HostRefused /> : <KeyRefused onToken={onToken} />
  if (state.snapshot) return <Frame live={live} state={state} snapshot={state.snapshot} />
  if (state.trouble?.is === 'away') return <Away />
  if (state.trouble?.is === 'failing') return <Failing trouble={state.trouble} />
  return <Loading />
}

function useLive(link: Link): Live | null {
  const [live, setLive] = useState<Live | null>(null)
  useEffect(() => {
    const started = new Live(link)
    setLive(started)
    void started.refresh()
    return () => started.end()
  }, [link])
  return live
}

const never = () => () => undefined
const start = () => LIVE_START
