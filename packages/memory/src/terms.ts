// Terms that a signature is compared by: its words, weighed by what they are, and its runs of three letters.

/** How much a term counts beside a plain word of the message. */
export interface TermWeights {
  readonly errorClass: number
  /** Two words in a row. */
  readonly pair: number
  /** A part of the program that the message names, such as a property. */
  readonly name: number
  /** A mask such as `<path>`. */
  readonly mask: number
  /** A function or a file of the project: another project has other ones. */
  readonly frame: number
}

const termsMax = 400
const word = /‹[^›]*›|<[a-z]+>|[\p{L}\p{N}_$]+|[!=<>]==?|[[{]…[\]}]/gu

interface Parts {
  readonly errorClass: string
  readonly message: string
  readonly frames: readonly string[]
}

/** As `signatureFrom` put it together. */
function partsOf(signature: string): Parts {
  const [said = '', ...frames] = signature.split(' @ ')
  const at = said.indexOf(': ')
  return at === -1
    ? { errorClass: '', message: said, frames }
    : { errorClass: said.slice(0, at), message: said.slice(at + 2), frames }
}

export function termsOf(signature: string, weights: TermWeights): ReadonlyMap<string, number> {
  const { errorClass, message, frames } = partsOf(signature)
  const terms = new Map<string, number>()
  if (errorClass !== '') terms.set(`class ${errorClass}`, weights.errorClass)
  let before = ''
  for (const found of (message.match(word) ?? []).slice(0, termsMax)) {
    const term = found.toLowerCase()
    terms.set(term, weightOf(found, weights))
    if (before !== '') terms.set(`${before} ${term}`, weights.pair)
    before = found.startsWith('‹') ? '‹›' : term
  }
  for (const frame of frames) {
    for (const found of frame.match(/[\p{L}\p{N}_$]+/gu) ?? []) terms.set(`@${found}`, weights.frame)
  }
  return terms
}

function weightOf(found: string, { name, mask }: TermWeights): number {
  if (found.startsWith('‹')) return name
  return /^(?:<[a-z]+>|[[{]…)/.test(found) ? mask : 1
}

/** The runs of three letters of the message alone, without names and masks. */
export function trigramsOf(signature: string): ReadonlySet<string> {
  const { message } = partsOf(signature)
  const plain = message.replace(/‹[^›]*›|<[a-z]+>|[^\p{L}\p{N}_$]+/gu, ' ').replace(/\s+/g, ' ')
  const text = `  ${plain.trim().toLowerCase()} `
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= text.length; at += 1) trigrams.add(text.slice(at, at + 3))
  return trigrams
}

/** From 0, nothing in common, to 1, the same. */
export function trigramSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  let shared = 0
  for (const trigram of few) if (many.has(trigram)) shared += 1
  return (2 * shared) / Math.max(1, a.size + b.size)
}
