// How well a stored glob fits a file. `*` stays within a folder, `**` does not; a glob without a slash means any folder.

type Token = { readonly is: 'char'; readonly char: string } | { readonly is: Wild }
/** `folders` and `inside` are two stars with a slash: before and after the first character that it takes. */
type Wild = 'one' | 'some' | 'any' | 'folders' | 'inside'

const ALTERNATIVES_MAX = 64
const EXACT = 3
const SAME_PATTERN = 2
const MATCHES = 1

export type Fit = 0 | 1 | 2 | 3

/** A path that is asked about, read once for many globs. */
export interface AskedPath {
  readonly path: string
  readonly name: string
  readonly pattern: string
}

/** Of a glob that is compiled once and asked often. */
export type FitOf = (asked: AskedPath) => Fit | null

export function readPath(path: string): AskedPath {
  const plain = plainPath(path)
  return { path: plain, name: baseOf(plain), pattern: patternOf(plain) }
}

/** "database/migrations/001.sql" is reduced to "*.sql"; a name without an extension stays. */
export function patternOf(path: string): string {
  const name = baseOf(plainPath(path))
  const dot = name.lastIndexOf('.')
  return dot > 0 && dot < name.length - 1 ? `*${name.slice(dot)}` : name
}

/** 3 for the very path, 2 for the pattern it is reduced to, 1 for another glob that matches, 0 for any file; null: it is not about it. */
export function fitOf(glob: string | null, path: string): Fit | null {
  return glob === null ? 0 : compileFit(glob)(readPath(path))
}

export function compileFit(glob: string): FitOf {
  const plain = plainPath(glob)
  // What may be in any folder is about the name alone.
  const rest = plain.replace(/^(?:\*\*\/)+/, '')
  const byName = !rest.includes('/')
  const wanted = byName ? rest : plain
  const head = /^[^*?{]*/.exec(wanted)?.[0] ?? ''
  let programs: Token[][] | null = null
  return ({ path, name, pattern }) => {
    if (path === plain) return EXACT
    if (pattern === plain) return SAME_PATTERN
    const text = byName ? name : path
    if (!text.startsWith(head)) return null
    programs ??= alternativesOf(wanted.slice(head.length)).map(tokensOf)
    return programs.some((program) => matches(program, text.slice(head.length))) ? MATCHES : null
  }
}

function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `{a,b}` written out; more of them than is sane are taken as they stand. */
function alternativesOf(glob: string): string[] {
  let made = [glob]
  for (;;) {
    const next = made.flatMap((each) => {
      const braces = /\{([^{}]*,[^{}]*)\}/.exec(each)
      if (braces === null) return [each]
      const { index } = braces
      const [head, tail] = [each.slice(0, index), each.slice(index + braces[0].length)]
      return (braces[1] ?? '').split(',').map((part) => `${head}${part}${tail}`)
    })
    if (next.length > ALTERNATIVES_MAX || next.length === made.length) return made
    made = next
  }
}

function tokensOf(glob: string): Token[] {
  return (glob.match(/\*\*\/|\*+|./gsu) ?? []).flatMap((found): Token[] => {
    if (found === '**/') return [{ is: 'folders' }, { is: 'inside' }]
    if (found.startsWith('*')) return [{ is: found.length > 1 ? 'any' : 'some' }]
    return found === '?' ? [{ is: 'one' }] : [...found].map((char) => ({ is: 'char', char }))
  })
}

/** All ways at once: no glob, however odd, takes longer than its length times that of the path. */
function matches(tokens: readonly Token[], path: string): boolean {
  let at = reached(tokens, Uint8Array.of(1), tokens.length + 1)
  for (const char of path) {
    const next = new Uint8Array(tokens.length + 2)
    for (const [place, token] of tokens.entries()) if (at[place] === 1) step(token, { place, char, next })
    if (!next.includes(1)) return false
    at = reached(tokens, next, tokens.length + 1)
  }
  return at[tokens.length] === 1
}

/** With the places that are reached without taking a character. */
function reached(tokens: readonly Token[], from: Uint8Array, size: number): Uint8Array {
  const at = new Uint8Array(size + 1)
  at.set(from.subarray(0, size))
  for (const [place, { is }] of tokens.entries()) {
    if (at[place] !== 1) continue
    if (is === 'some' || is === 'any') at[place + 1] = 1
    if (is === 'folders') at[place + 2] = 1
  }
  return at
}

function step(token: Token, { place, char, next }: { place: number; char: string; next: Uint8Array }): void {
  switch (token.is) {
    case 'char':
      if (token.char === char) next[place + 1] = 1
      break
    case 'one':
      if (char !== '/') next[place + 1] = 1
      break
    case 'some':
      if (char !== '/') next[place] = 1
      break
    case 'any':
      next[place] = 1
      break
    case 'folders':
      next[place + 1] = 1
      if (char === '/') next[place + 2] = 1
      break
    case 'inside':
      next[place] = 1
      if (char === '/') next[place + 1] = 1
      break
  }
}
