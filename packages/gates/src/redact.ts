// Takes secrets out of output before it is written anywhere. Few patterns, each hard to meet by accident.
const hidden = '[redacted]'

// Text is latin1, one character per byte, so that any output survives unchanged.
const token =
  /\b(?:sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|xox[abeprs]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{36}|(?:AKIA|ASIA)[0-9A-Z]{16})\b/g
const bearer = /\b(bearer\s+)[A-Za-z0-9._~+/-]{16,}=*/gi
const keyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const keyBytesMax = 16 * 1024
const keyLineMax = 100
const secretLengthMin = 6

export interface Redactor {
  /** Text that ends at a safe place, normally the end of a line. */
  redact(text: string): string
}

export function makeRedactor(secrets: readonly string[]): Redactor {
  const values = secrets
    .filter((secret) => secret.length >= secretLengthMin)
    .map((secret) => Buffer.from(secret, 'utf8').toString('latin1'))
    .sort((a, b) => b.length - a.length)
  // Counts down while we are inside a key block whose end has not come yet.
  let keyBytesLeft = 0

  const afterKey = (text: string): string => {
    // Not further than a key can reach: each beginning would else look through all that is left.
    const end = keyEnd.exec(text.slice(0, keyBytesLeft + keyLineMax))
    const upTo = end ? end.index + end[0].length : Math.min(text.length, keyBytesLeft)
    keyBytesLeft = end ? 0 : keyBytesLeft - upTo
    return text.slice(upTo)
  }

  const withoutKeys = (text: string): string => {
    let out = ''
    let rest = keyBytesLeft > 0 ? afterKey(text) : text
    for (let begin = keyBegin.exec(rest); begin; begin = keyBegin.exec(rest)) {
      out += rest.slice(0, begin.index) + hidden
      keyBytesLeft = keyBytesMax
      rest = afterKey(rest.slice(begin.index + begin[0].length))
    }
    return out + rest
  }

  const redactPiece = (text: string): string => {
    let clean = withoutKeys(text)
    for (const value of values) clean = clean.replaceAll(value, hidden)
    return clean.replace(token, hidden).replace(bearer, `$1${hidden}`)
  }

  return { redact: (text) => piecesOf(text).map(redactPiece).join('') }
}

const pieceCharsMax = 1024 * 1024

/** A long text, cut between lines or words: over one run of 64 MB a pattern runs out of stack. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > pieceCharsMax) {
    const line = text.lastIndexOf('\n', from + pieceCharsMax)
    const space = line > from ? line : text.lastIndexOf(' ', from + pieceCharsMax)
    const end = space > from ? space + 1 : from + pieceCharsMax
    pieces.push(text.slice(from, end))
    from = end
  }
  return [...pieces, text.slice(from)]
}
