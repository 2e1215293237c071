// Finding the token in a link or in the address, and what a token may look like.

// The pattern is narrow: the token travels as a WebSocket subprotocol, which allows no other characters.
const TOKEN = /^[A-Za-z0-9._~-]{1,512}$/

/** The token in the fragment of the daemon's link, or null. */
export function tokenInFragment(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token')
  return token !== null && TOKEN.test(token) ? token : null
}

/** The screen that a link with a token leads to, as a fragment; empty if it names none. */
export function placeInFragment(fragment: string): string {
  const at = new URLSearchParams(fragment.replace(/^#/, '')).get('at') ?? ''
  return /^\/[\w/?=&.-]*$/.test(at) ? `#${at}` : ''
}

/** The token in what a person pasted: the whole link, its fragment, or the bare token. */
export function tokenInText(text: string): string | null {
  const trimmed = text.trim()
  const hash = trimmed.indexOf('#')
  if (hash >= 0) return tokenInFragment(trimmed.slice(hash))
  if (trimmed.startsWith('token=')) return tokenInFragment(trimmed)
  return TOKEN.test(trimmed) ? trimmed : null
}
