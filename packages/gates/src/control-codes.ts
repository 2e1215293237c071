// Takes terminal control sequences out of text, each character looked at once: what a test prints is anybody's text,
// and a pattern with alternatives takes quadratic time for codes that begin and do not end.

const ESC = 0x1b
const BEL = 0x07
const CSI = 0x9b
const ST = 0x9c
// Begin a string that lasts up to its terminator: DCS, SOS, OSC, PM, APC.
const strings = new Set(['P', 'X', ']', '^', '_'].map((letter) => letter.charCodeAt(0)))
const parametersMax = 256

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const introducer = /[\u001b\u009b]/g

/** The text without control sequences; one that does not end loses only what introduces it. */
export function withoutControlCodes(text: string): string {
  introducer.lastIndex = 0
  const kept: string[] = []
  let from = 0
  for (let found = introducer.exec(text); found; found = introducer.exec(text)) {
    kept.push(text.slice(from, found.index))
    from = endOfSequence(text, found.index)
    introducer.lastIndex = from
  }
  if (from === 0 && kept.length === 0) return text
  kept.push(text.slice(from))
  return kept.join('')
}

function endOfSequence(text: string, at: number): number {
  if (text.charCodeAt(at) === CSI) return endOfControl(text, at + 1)
  const next = text.charCodeAt(at + 1)
  if (next === '['.charCodeAt(0)) return endOfControl(text, at + 2)
  if (strings.has(next)) return endOfString(text, at + 2)
  return endOfShort(text, at + 1)
}

/** Parameters, then intermediates, then one final character. */
function endOfControl(text: string, start: number): number {
  let at = start
  while (at - start < parametersMax && isBetween(text, at, [0x20, 0x3f])) at += 1
  return isBetween(text, at, [0x40, 0x7e]) ? at + 1 : start
}

/** Up to its terminator; another sequence or the end of the line ends it too, and then its text is kept. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BEL || code === ST) return at + 1
    if (code === ESC) return text[at + 1] === '\\' ? at + 2 : start
    if (code === CSI || code === 0x0a) return start
  }
  return start
}

function endOfShort(text: string, start: number): number {
  let at = start
  while (at - start < parametersMax && isBetween(text, at, [0x20, 0x2f])) at += 1
  return isBetween(text, at, [0x30, 0x7e]) ? at + 1 : start
}

function isBetween(text: string, at: number, [low, high]: readonly [number, number]): boolean {
  const code = text.charCodeAt(at)
  return code >= low && code <= high
}
