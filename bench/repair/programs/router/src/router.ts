import { compile, match, type Params, type Pattern } from './pattern.ts'

type Route = { method: string; pattern: Pattern; name: string }
export type Found =
  | { is: 'found'; name: string; params: Params }
  | { is: 'wrong_method'; allow: string[] }
  | { is: 'missing' }

export class Router {
  private readonly routes: Route[] = []

  add(method: string, source: string, name: string): this {
    this.routes.push({ method: method.toUpperCase(), pattern: compile(source), name })
    return this
  }

  find(method: string, path: string): Found {
    const wanted = method.toUpperCase()
    const allow = new Set<string>()
    let best: { route: Route; params: Params } | null = null
    for (const route of this.routes) {
      const params = match(route.pattern, path)
      if (!params) continue
      allow.add(route.method)
      if (route.method !== wanted) continue
      if (!best || route.pattern.score > best.route.pattern.score) best = { route, params }
    }
    if (best) return { is: 'found', name: best.route.name, params: best.params }
    return allow.size > 0 ? { is: 'wrong_method', allow: [...allow].sort() } : { is: 'missing' }
  }

  // The path of a named route, with its parameters filled in.
  url(name: string, params: Params = {}): string {
    const route = this.routes.find((one) => one.name === name)
    if (!route) throw new RangeError(`no route ${name}`)
    const parts = route.pattern.segments.map((one) => {
      if (one.is === 'fixed') return one.text
      const value = params[one.name]
      if (value === undefined) throw new RangeError(`missing ${one.name}`)
      return one.is === 'rest' ? value : encodeURIComponent(value)
    })
    return `/${parts.join('/')}`
  }
}
