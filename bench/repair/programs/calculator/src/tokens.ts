export type Token =
  | { is: 'number'; value: number }
  | { is: 'name'; name: string }
  | { is: 'symbol'; symbol: string }

const blank = /\s/
const digit = /[0-9.]/
const letter = /[a-z_]/i

export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    if (blank.test(char)) {
      at += 1
    } else if (digit.test(char)) {
      const word = takeWhile(text, at, digit)
      const value = Number(word)
      if (Number.isNaN(value)) throw new SyntaxError(`bad number ${word}`)
      tokens.push({ is: 'number', value })
      at += word.length
    } else if (letter.test(char)) {
      const name = takeWhile(text, at, /[a-z_0-9]/i)
      tokens.push({ is: 'name', name })
      at += name.length
    } else if ('+-*/^%(),'.includes(char)) {
      tokens.push({ is: 'symbol', symbol: char })
      at += 1
    } else {
      throw new SyntaxError(`unexpected ${char} at ${at}`)
    }
  }
  return tokens
}

function takeWhile(text: string, from: number, pattern: RegExp): string {
  let end = from
  while (end < text.length && pattern.test(text.charAt(end))) end += 1
  return text.slice(from, end)
}
