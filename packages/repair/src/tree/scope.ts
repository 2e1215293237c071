// Which names can be seen from a place, nearest first.
import type { Declared, Node } from './node.ts'

export function find(from: Node, name: string): Declared | null {
  for (let node: Node | null = from; node !== null; node = node.parent) {
    const found = node.names?.get(name)
    if (found !== undefined) return found
  }
  return null
}

/** Every name in sight, nearest scope first; a shadowed one is left out, and so is a local one declared later. */
export function visible(from: Node): Declared[] {
  const seen = new Map<string, Declared>()
  for (let node: Node | null = from; node !== null; node = node.parent) {
    if (node.names === null) continue
    for (const declared of node.names.values()) {
      if (!seen.has(declared.name) && isReady(declared, from, node)) seen.set(declared.name, declared)
    }
  }
  return [...seen.values()]
}

function isReady(declared: Declared, from: Node, scope: Node): boolean {
  if (declared.is === 'function' || declared.is === 'parameter' || declared.is === 'import') return true
  return scope.kind === 'module' || declared.at < from.start
}
