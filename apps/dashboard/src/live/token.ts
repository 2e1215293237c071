// Takes the token out of the address bar and keeps it for this tab only: a session, never a key. What else is served at
// this address one day reads what was kept.
import { isSession } from '@treadle/contracts/page-session'
import { tokenInFragment } from './token.model.ts'

const KEY = 'treadle.token'

/** The token of the link that was opened, or of the last time in this tab. */
export function takeToken(): string | null {
  return takeFromAddress() ?? sessionStorage.getItem(KEY)
}

export function takeFromAddress(): string | null {
  const given = tokenInFragment(location.hash)
  if (given === null) return null
  keepToken(given)
  // The token leaves the address bar: a link that is copied or photographed must not carry it along.
  history.replaceState(null, '', location.pathname + location.search)
  return given
}

export function keepToken(token: string): void {
  if (isSession(token)) sessionStorage.setItem(KEY, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}
