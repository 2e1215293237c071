// Parameters and variables that nobody reads: they were meant to stand somewhere.
import { above, isValue, type Node, nodesIn } from '../tree/node.ts'

const readIn = new WeakMap<Node, ReadonlySet<string>>()

function namesReadIn(scope: Node): ReadonlySet<string> {
  const known = readIn.get(scope)
  if (known !== undefined) return known
  const read = nodesIn(scope).filter(
    (found) => found.kind === 'name' && (isValue(found) || found.parent?.kind === 'pair'),
  )
  const names = new Set(
    read.filter((found) => found.role !== 'param' && found.role !== 'key').map(({ name }) => name),
  )
  readIn.set(scope, names)
  return names
}

/** Names declared by the functions around this place and never read in them. */
export function unusedAt(at: Node): ReadonlySet<string> {
  const found = new Set<string>()
  for (
    let scope = above(at, 'func', 'block', 'loop');
    scope !== null;
    scope = above(scope, 'func', 'block', 'loop')
  ) {
    const read = namesReadIn(scope)
    for (const { name } of scope.names?.values() ?? [])
      if (!read.has(name) && !name.startsWith('_')) found.add(name)
  }
  return found
}
