export type State =
  | 'draft'
  | 'placed'
  | 'paid'
  | 'packed'
  | 'shipped'
  | 'delivered'
  | 'returned'
  | 'cancelled'
export type Move = 'place' | 'pay' | 'pack' | 'ship' | 'deliver' | 'return' | 'cancel'

const moves: Record<State, Partial<Record<Move, State>>> = {
  draft: { place: 'placed', cancel: 'cancelled' },
  placed: { pay: 'paid', cancel: 'cancelled' },
  paid: { pack: 'packed', cancel: 'cancelled' },
  packed: { ship: 'shipped' },
  shipped: { deliver: 'delivered' },
  delivered: { return: 'returned' },
  returned: {},
  cancelled: {},
}

export function nextState(state: State, move: Move): State | null {
  return moves[state][move] ?? null
}

export function allowedMoves(state: State): Move[] {
  return (Object.keys(moves[state]) as Move[]).sort()
}

export function isFinal(state: State): boolean {
  return allowedMoves(state).length === 0
}

// The shortest way from one state to another, or null when there is none.
export function route(from: State, to: State): Move[] | null {
  const open: { state: State; path: Move[] }[] = [{ state: from, path: [] }]
  const seen = new Set<State>([from])
  for (let current = open.shift(); current; current = open.shift()) {
    if (current.state === to) return current.path
    for (const move of allowedMoves(current.state)) {
      const next = nextState(current.state, move)
      if (!next || seen.has(next)) continue
      seen.add(next)
      open.push({ state: next, path: [...current.path, move] })
    }
  }
  return null
}
