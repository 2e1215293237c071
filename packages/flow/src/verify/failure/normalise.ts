// A message without the values that differ from run to run: the same slip elsewhere gives the same text.

const charsMax = 2_000
const resultCharsMax = 400
const passesMax = 8

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one
const colours = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** Values in quotes are masked, except after these words: there they name a part of the program. */
const beforeName =
  /(?:reading|setting|propert(?:y|ies)|attribute|method|function|module|named?|import|export|field|column|table|class|key|argument|variable|identifier|token|type|operator)(?: of)? ?\(?$/i

/** The order matters: what is long and special goes before what is short and general. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s'"`)\]}>]+/gi, '<path>'],
  [/(?<![\w.])(?:[A-Za-z]:)?(?:\.{0,2}[\\/])(?:[\w.@+~-]+[\\/])*[\w.@+~-]+(?::\d+(?::\d+)?)?/g, '<path>'],
  [/(?<![\w.])(?:[\w.@+~-]+\/)+[\w@+~-]+\.[a-z]{1,5}(?::\d+(?::\d+)?)?/gi, '<path>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [
    /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?Z|[+-]\d{2}:?\d{2})?)?(?![\w-])/g,
    '<time>',
  ],
  [/\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?(?![\w:])/gi, '<time>'],
  [/\b0x[0-9a-f]+\b/gi, '<addr>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, '<id>'],
]

/** Codes like E0425 or TS2322 tell what is wrong; other digits are values. */
const number = /\b[A-Z]{1,4}\d{3,5}\b|[-+]?\d[\d_]*(?:[.,]\d+)*(?:e[-+]?\d+)?n?(?![a-z_])|\d+/gi

export function stripColours(text: string): string {
  return text.replace(colours, '')
}

/** `Build failed with 1 error:` says nothing yet; what is wrong comes after the empty line. */
const announces = /\berrors?:\s*$/i

/** What an error says first: up to an empty line or a diff, on one line. */
export function headOf(message: string): string {
  const lines = stripColours(message.slice(0, charsMax)).trim().split('\n')
  const end = lines.findIndex(
    (line, at) =>
      at > 0 &&
      (line.trim() === '' ? !announces.test(lines[at - 1] ?? '') : /^\s*(?:[+-] |at |\d+ \|)/.test(line)),
  )
  return (end === -1 ? lines : lines.slice(0, end)).join(' ').replace(/\s+/g, ' ').trim()
}

export function normaliseMessage(message: string): string {
  let text = issuesIn(headOf(message))
  // A mask may uncover another value, such as a list of quoted words.
  for (let pass = 0; pass < passesMax; pass += 1) {
    const next = maskOnce(text)
    if (next === text) break
    text = next
  }
  return text.length > resultCharsMax ? cutWords(text) : text
}

/** A list of issues, as validators print it: what each of them says, without the list around it. */
function issuesIn(text: string): string {
  if (!/^\[ ?\{/.test(text)) return text
  const said = [...text.matchAll(/"message": ?"((?:[^"\\]|\\.)*)"/g)].map(([, words = '']) => words)
  return said.length === 0 ? text : [...new Set(said)].join('; ').replaceAll('\\"', '"')
}

function cutWords(text: string): string {
  const cut = text.slice(0, resultCharsMax)
  return cut.slice(0, Math.max(1, cut.lastIndexOf(' '))).toWellFormed()
}

function maskOnce(text: string): string {
  let masked = text
  for (const [pattern, mask] of masks) masked = masked.replace(pattern, mask)
  masked = masked.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, maskQuoted)
  masked = masked
    .replace(/\[(?!…\]|[A-Z][A-Z_]+\]|[A-Z]{1,4}\d{3,5}\])[^[\]]*\]/g, '[…]')
    .replace(/\{(?!…\})[^{}]*\}/g, '{…}')
    .replace(number, (found) => (/^[A-Z]{1,4}\d{3,5}$/.test(found) ? found : '<n>'))
  return masked
    .replace(/(?:<n>[\s,]*){2,}/g, '<n> ')
    .replace(/\s+/g, ' ')
    .trim()
}

function maskQuoted(quoted: string, at: number, whole: string): string {
  const inner = quoted.slice(1, -1)
  const isName = /^[A-Za-z_$][A-Za-z_$.-]{0,60}$/.test(inner)
  return isName && beforeName.test(whole.slice(Math.max(0, at - 30), at)) ? `‹${inner}›` : '<value>'
}
