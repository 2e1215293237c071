import { type Token, tokenise } from './tokens.ts'

export type Tree =
  | { is: 'number'; value: number }
  | { is: 'name'; name: string }
  | { is: 'negate'; operand: Tree }
  | { is: 'binary'; operator: string; left: Tree; right: Tree }
  | { is: 'call'; name: string; args: Tree[] }

const precedence: Record<string, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 4 }
const unaryPrecedence = 3

export function parse(text: string): Tree {
  const parser = new Parser(tokenise(text))
  const tree = parser.expression(0)
  if (!parser.done()) throw new SyntaxError('unexpected input after the expression')
  return tree
}

class Parser {
  private at = 0
  private readonly tokens: Token[]

  constructor(tokens: Token[]) {
    this.tokens = tokens
  }

  done(): boolean {
    return this.at >= this.tokens.length
  }

  // Precedence climbing: takes operators that bind at least as tightly as asked.
  expression(minimum: number): Tree {
    let left = this.operand()
    for (;;) {
      const operator = this.peekSymbol()
      const binds = operator === null ? undefined : precedence[operator]
      if (operator === null || binds === undefined || binds < minimum) return left
      this.at += 1
      const right = this.expression(operator === '^' ? binds : binds + 1)
      left = { is: 'binary', operator, left, right }
    }
  }

  private operand(): Tree {
    const token = this.tokens[this.at]
    if (!token) throw new SyntaxError('unexpected end')
    this.at += 1
    if (token.is === 'number') return token
    if (token.is === 'name') return this.peekSymbol() === '(' ? this.call(token.name) : token
    if (token.symbol === '-') return { is: 'negate', operand: this.expression(unaryPrecedence) }
    if (token.symbol !== '(') throw new SyntaxError(`unexpected ${token.symbol}`)
    const inner = this.expression(0)
    this.expect(')')
    return inner
  }

  private call(name: string): Tree {
    const args: Tree[] = []
    this.expect('(')
    while (this.peekSymbol() !== ')') {
      if (args.length > 0) this.expect(',')
      args.push(this.expression(0))
    }
    this.expect(')')
    return { is: 'call', name, args }
  }

  private peekSymbol(): string | null {
    const token = this.tokens[this.at]
    return token?.is === 'symbol' ? token.symbol : null
  }

  private expect(symbol: string): void {
    if (this.peekSymbol() !== symbol) throw new SyntaxError(`expected ${symbol}`)
    this.at += 1
  }
}
