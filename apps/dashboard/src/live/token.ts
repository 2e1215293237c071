// Takes the token out of the address bar, and keeps what stands for it in this browser: a proof, never a key. The other
// half of the session is a cookie that no script reads; what else is served at this address one day has neither.
import { isPageProof } from '@treadle/contracts/page-session'
import { placeInFragment, tokenInFragment } from './token.model.ts'

const KEY = 'treadle.proof'
/** In the place of a proof, once the reader has logged out. */
const LOGGED_OUT = 'logged-out'

/** The token of the link that was opened, or the proof that any tab of this browser has kept. */
export function takeToken(): string | null {
  return takeFromAddress() ?? keptProof()
}

export function takeFromAddress(): string | null {
  const given = tokenInFragment(location.hash)
  if (given === null) return null
  // The token leaves the address bar: a link that is copied or photographed must not carry it along.
  history.replaceState(null, '', location.pathname + location.search + placeInFragment(location.hash))
  return given
}

export function keepProof(proof: string): void {
  if (isPageProof(proof)) localStorage.setItem(KEY, proof)
}

export function keptProof(): string | null {
  const kept = localStorage.getItem(KEY)
  return kept === LOGGED_OUT ? null : kept
}

export function forgetProof(): void {
  if (!isLoggedOut()) localStorage.removeItem(KEY)
}

/** For all tabs: none of them may take another session by itself. */
export function logOut(): void {
  localStorage.setItem(KEY, LOGGED_OUT)
}

export function isLoggedOut(): boolean {
  return localStorage.getItem(KEY) === LOGGED_OUT
}

/** Calls when the reader logs out in another tab. */
export function whenLoggedOut(act: () => void): () => void {
  const look = ({ key }: StorageEvent) => key === KEY && isLoggedOut() && act()
  window.addEventListener('storage', look)
  return () => window.removeEventListener('storage', look)
}
