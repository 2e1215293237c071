// Characters that make a text read otherwise than it is: shown as marks, so that nobody approves what they cannot see.

/** Characters that reverse the direction of what follows; code can be made to look like other code with them. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Characters without any width. A joiner between two emoji is none of them. */
const EMPTY = /[\u200b\u2060-\u2064\ufeff\u00ad]/g

const mark = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

export function revealed(text: string): string {
  return text.replace(TURNING, mark).replace(EMPTY, mark)
}

/** The number of unseen characters in a text; in a change, each wants to be looked at. */
export function unseenIn(text: string): number {
  return (text.match(TURNING)?.length ?? 0) + (text.match(EMPTY)?.length ?? 0)
}
