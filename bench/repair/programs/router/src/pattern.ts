export type Params = Record<string, string>

type Segment = { is: 'fixed'; text: string } | { is: 'param'; name: string } | { is: 'rest'; name: string }

export type Pattern = { source: string; segments: Segment[]; score: number }

export function splitPath(path: string): string[] {
  const [clean = ''] = path.split(/[?#]/)
  return clean.split('/').filter((part) => part !== '')
}

export function compile(source: string): Pattern {
  const segments = splitPath(source).map(segment)
  const restAt = segments.findIndex((one) => one.is === 'rest')
  if (restAt >= 0 && restAt !== segments.length - 1) throw new SyntaxError('a rest must come last')
  // Fixed text weighs more than a parameter, and a parameter more than a rest.
  const score = segments.reduce((sum, one) => sum * 4 + weight(one), 0)
  return { source, segments, score }
}

function segment(part: string): Segment {
  if (part.startsWith(':')) return { is: 'param', name: part.slice(1) }
  if (part.startsWith('*')) return { is: 'rest', name: part.slice(1) || 'rest' }
  return { is: 'fixed', text: part }
}

function weight(one: Segment): number {
  if (one.is === 'fixed') return 3
  return one.is === 'param' ? 2 : 1
}

export function match(pattern: Pattern, path: string): Params | null {
  const parts = splitPath(path)
  const params: Params = {}
  for (const [index, one] of pattern.segments.entries()) {
    if (one.is === 'rest') {
      params[one.name] = parts.slice(index).map(decodeURIComponent).join('/')
      return params
    }
    const part = parts[index]
    if (part === undefined) return null
    if (one.is === 'param') params[one.name] = decodeURIComponent(part)
    else if (one.text !== part) return null
  }
  return parts.length === pattern.segments.length ? params : null
}
