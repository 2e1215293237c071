// The longest beginning of a text that still fits, at a line end where there is one.

/** How far beyond the found place a longer beginning is looked for: more letters can make fewer tokens. */
const LOOK_AHEAD = 16

/** null if not even one character fits. `fits` is asked about beginnings of the text only. */
export function cutToFit(text: string, fits: (beginning: string) => boolean): string | null {
  return longest(text, lineEnds(text), fits) ?? longest(text, characterEnds(firstLine(text)), fits)
}

function longest(text: string, ends: readonly number[], fits: (beginning: string) => boolean): string | null {
  const fitsAt = (index: number) => fits(text.slice(0, ends[index]))
  let low = -1
  let high = ends.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (fitsAt(middle)) low = middle
    else high = middle
  }
  for (let ahead = Math.min(ends.length - 1, low + LOOK_AHEAD); ahead > low; ahead -= 1) {
    if (fitsAt(ahead)) return text.slice(0, ends[ahead])
  }
  return low < 0 ? null : text.slice(0, ends[low])
}

/** After each line that holds something; a beginning of empty lines says nothing. */
function lineEnds(text: string): number[] {
  const start = text.search(/\S/)
  return [...text.matchAll(/\r?\n/g)].map((found) => found.index).filter((end) => start >= 0 && end > start)
}

function firstLine(text: string): string {
  return text.slice(0, lineEnds(text)[0])
}

/** Between characters, never inside one: a half of a surrogate pair is no character. */
function characterEnds(text: string): number[] {
  let end = 0
  return Array.from(text, (character) => (end += character.length))
}
