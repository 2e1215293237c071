// What somebody asks about, a printed error or a signature, as the signature that it would be kept under.
import { stripColours } from './normalise.ts'
import { signatureOf } from './signature.ts'

/** What only a signature has: masks, and places without lines. */
const MASKED = /<[a-z]+>|‹[^›]*›| @ \S+ \([^)]*\)/u

export function signatureAsked(text: string): string {
  const plain = stripColours(text).trim()
  if (!plain.includes('\n') && MASKED.test(plain)) return plain
  return signatureOf({ id: 'asked', file: null, line: null, message: messageIn(plain), stack: plain }).text
}

/** Python says at the end what others say at the beginning. */
function messageIn(text: string): string {
  return /^(?:Traceback| +File ")/u.test(text) ? (text.split('\n').at(-1) ?? text) : text
}
