// Walks a syntax tree.
export interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Calls `look` for each node below one, with those that it stands in, the outermost first. */
export function walk(node: Syntax, look: (node: Syntax, above: readonly Syntax[]) => void): void {
  const above: Syntax[] = []
  const visit = (each: Syntax): void => {
    look(each, above)
    above.push(each)
    for (const value of Object.values(each))
      for (const child of Array.isArray(value) ? value : [value]) if (isSyntax(child)) visit(child)
    above.pop()
  }
  visit(node)
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** The name of the function, method or class around a node; null: it stands at the top of its file. */
export function nameAround(above: readonly Syntax[]): string | null {
  for (const node of above.toReversed()) {
    const named = [node.id, node.key].find(isSyntax)
    const isNamed =
      node.type.includes('Function') ||
      /^(?:VariableDeclarator|MethodDefinition|Property|ClassDeclaration)$/.test(node.type)
    if (isNamed && named !== undefined && typeof named.name === 'string') return named.name
  }
  return null
}
