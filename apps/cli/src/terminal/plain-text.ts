// Text of others, made harmless for a terminal.
import { stripVTControlCharacters } from 'node:util'

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to go.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g

/** Engines, test output and imported files say what they like: nothing of it may move a terminal's cursor. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(UNSEEN, ' ')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to be seen.
const TO_BE_SEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** The pictures of control characters stand in their order from here on. */
const PICTURES = 0x24_00

/** A change as it is, harmless for a terminal: nothing is left out, what a terminal would obey is shown by a sign for it. */
export function seenText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(TO_BE_SEEN, signOf)
}

function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(PICTURES + code)
  return code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`
}
