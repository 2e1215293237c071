// Which screen is shown: a way in, what is wrong, or the page.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Frame } from './frame/frame.tsx'
import { Away, Failing, KeyNeeded, KeyRefused, Loading } from './frame/notices.tsx'
import { LIVE_START, screenOf } from './live/live.model.ts'
import { Live } from './live/live.ts'
import { forgetToken, keepToken, takeToken } from './live/token.ts'

export function App() {
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    // A new link opened in the same tab changes only the fragment, which does not load the page again.
    const onHash = () => setToken(takeToken())
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  const enter = (given: string) => {
    keepToken(given)
    setToken(given)
  }
  if (token === null) return <KeyNeeded onToken={enter} />
  return <Connected key={token} token={token} onToken={enter} />
}

function Connected({ token, onToken }: { token: string; onToken: (token: string) => void }) {
  const live = useLive(token)
  const state = useSyncExternalStore(live?.subscribe ?? never, live?.get ?? start)
  const screen = screenOf(state)
  useEffect(() => {
    if (screen === 'refused') forgetToken()
  }, [screen])
  if (live === null) return <Loading />
  if (screen === 'refused') return <KeyRefused onToken={onToken} />
  if (state.snapshot) return <Frame live={live} state={state} snapshot={state.snapshot} />
  if (state.trouble?.is === 'away') return <Away />
  if (state.trouble?.is === 'failing') return <Failing trouble={state.trouble} />
  return <Loading />
}

function useLive(token: string): Live | null {
  const [live, setLive] = useState<Live | null>(null)
  useEffect(() => {
    const started = new Live(location.origin, token)
    setLive(started)
    void started.refresh()
    return () => started.end()
  }, [token])
  return live
}

const never = () => () => undefined
const start = () => LIVE_START
