// Code from elsewhere, with the names it needs and that are not in sight here replaced by names that are.
import { type Node, nodesIn } from '../tree/node.ts'
import { find, visible } from '../tree/scope.ts'
import type { Context, Piece } from './edit.ts'
import { guessType } from './guess.ts'
import { namesAt, type Value } from './known.ts'
import { likeness } from './likeness.ts'

export interface Renamed {
  readonly pieces: readonly Piece[]
  readonly weight: number
}

const STRANGERS_MAX = 2
const CHOICES_MAX = 5
const MADE_MAX = 10

/** The names in a piece of code that mean a value of some scope. */
function referencesIn(node: Node): Node[] {
  return nodesIn(node).filter(
    (found) =>
      found.kind === 'name' && found.role !== 'property' && found.role !== 'key' && found.role !== 'name',
  )
}

/** Names that the code itself declares, such as the parameters of its functions. */
function declaresOwn(reference: Node, node: Node): boolean {
  const declared = find(reference, reference.name)
  return declared !== null && declared.at >= node.start && declared.at < node.end
}

/** The code as it is where all its names are in sight; else with up to two of them replaced. */
export function renamings(node: Node, at: Node, context: Context): Renamed[] {
  const inSight = new Set(visible(at).map(({ name }) => name))
  const references = referencesIn(node).filter((found) => !declaresOwn(found, node))
  const strange = references.filter(({ name }) => !inSight.has(name))
  const unknown = [
    ...new Set(strange.filter((found) => find(found, found.name) !== null).map(({ name }) => name)),
  ]
  if (unknown.length === 0) return [{ pieces: [node], weight: 1 }]
  if (unknown.length > STRANGERS_MAX) return []
  const names = namesAt(at, context)
  let choices: { map: ReadonlyMap<string, Value>; weight: number }[] = [{ map: new Map(), weight: 1 }]
  for (const name of unknown) {
    const of = strange.find((found) => found.name === name)
    const wanted = of === undefined ? null : (find(of, name)?.type ?? null)
    const fitting = names
      .map((value) => ({ value, rate: rateOf(value, name, wanted) * value.near }))
      .filter(({ rate }) => rate > 0)
      .sort((a, b) => b.rate - a.rate)
      .slice(0, CHOICES_MAX)
    choices = choices.flatMap(({ map, weight }) =>
      fitting
        .filter(({ value }) => ![...map.values()].includes(value))
        .map(({ value, rate }) => ({ map: new Map([...map, [name, value]]), weight: weight * rate })),
    )
  }
  return choices
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MADE_MAX)
    .map(({ map, weight }) => ({ pieces: rewritten(node, references, map), weight: 0.85 * weight }))
}

function rateOf(value: Value, name: string, type: string | null): number {
  const wanted = type === null ? 'unknown' : guessType(type)
  if (wanted !== 'unknown' && value.guess !== 'unknown' && wanted !== value.guess) return 0
  const clash = type !== null && value.type !== '' && type !== value.type
  return (clash ? 0.5 : 0.8) + 0.2 * likeness(value.name, name)
}

function rewritten(node: Node, references: readonly Node[], map: ReadonlyMap<string, Value>): Piece[] {
  const pieces: Piece[] = []
  let from = node.start
  for (const reference of references) {
    const value = map.get(reference.name)
    if (value === undefined) continue
    const isShorthand = reference.parent?.kind === 'pair' && reference.parent.optional
    pieces.push(
      { start: from, end: reference.start },
      ...(isShorthand ? [`${reference.name}: `] : []),
      ...value.pieces,
    )
    from = reference.start + reference.name.length
  }
  pieces.push({ start: from, end: node.end })
  return pieces
}
