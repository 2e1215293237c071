// How well a stored glob fits a file. `*` stays within a folder, `**` does not; a glob without a slash means any folder.

type Token = { readonly is: 'char'; readonly char: string } | { readonly is: Wild }
/** `folders` and `inside` are two stars with a slash: before and after the first character that it takes. */
type Wild = 'one' | 'some' | 'any' | 'folders' | 'inside'

const ALTERNATIVES_MAX = 64
/** A glob with more of them, written out, costs too much to try: it fits only the very path. */
const WILD_MAX = 200
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

/** The fit of a glob that is compiled once and asked often. */
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
  // A pattern for any folder is about the name alone.
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
    programs ??= programsOf(wanted.slice(head.length))
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

function programsOf(glob: string): Token[][] {
  const programs = [...new Set(alternativesOf(glob))].map(tokensOf)
  const wild = programs.flat().filter(({ is }) => is !== 'char').length
  return wild > WILD_MAX ? [] : programs
}

function tokensOf(glob: string): Token[] {
  const once = glob.replace(/(?:\*\*\/)+/g, '**/')
  return (once.match(/\*\*\/|\*+|./gsu) ?? []).flatMap((found): Token[] => {
    if (found === '**/') return [{ is: 'folders' }, { is: 'inside' }]
    if (found.startsWith('*')) return [{ is: found.length > 1 ? 'any' : 'some' }]
    return found === '?' ? [{ is: 'one' }] : [...found].map((char) => ({ is: 'char', char }))
  })
}

/** All ways at once: no glob, however odd, takes longer than its wild cards times the length of the path. */
function matches(tokens: readonly Token[], path: string): boolean {
  const seen = new Int32Array(tokens.length + 3).fill(-1)
  let taken = 0
  let live: number[] = []
  const reach = (place: number): void => {
    if (seen[place] === taken) return
    seen[place] = taken
    live.push(place)
    const is = tokens[place]?.is
    // Steps that need not take a character.
    if (is === 'some' || is === 'any') reach(place + 1)
    if (is === 'folders') reach(place + 2)
  }
  reach(0)
  for (const char of path) {
    const from = live
    live = []
    taken += 1
    for (const place of from) {
      const token = tokens[place]
      if (token !== undefined) step(token, { place, char, reach })
    }
    if (live.length === 0) return false
  }
  return seen[tokens.length] === taken
}

interface Step {
  readonly place: number
  readonly char: string
  readonly reach: (place: number) => void
}

function step(token: Token, { place, char, reach }: Step): void {
  switch (token.is) {
    case 'char':
      if (token.char === char) reach(place + 1)
      break
    case 'one':
      if (char !== '/') reach(place + 1)
      break
    case 'some':
      if (char !== '/') reach(place)
      break
    case 'any':
      reach(place)
      break
    case 'folders':
      reach(place + 1)
      if (char === '/') reach(place + 2)
      break
    case 'inside':
      reach(place)
      if (char === '/') reach(place + 1)
      break
  }
}
