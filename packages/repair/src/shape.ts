// The shape of an edit, without the names of this place: the same slip elsewhere is mended by the same shape.
import type { Change, Edit, Piece } from './edits/edit.ts'
import type { Node } from './tree/node.ts'
import { find } from './tree/scope.ts'

/** Text that stood there before and stays. */
const KEPT = '·'
const SHAPE_MAX = 200
const QUOTE_MAX = 30

/** Words and names that mean the same in every program. */
const KNOWN = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...[Math, Number, Object, Array, JSON, Promise, Date].flatMap((holder) =>
    Object.getOwnPropertyNames(holder),
  ),
  ...[Array, String, Map, Set, Promise, RegExp, Number, Date].flatMap((type) =>
    Object.getOwnPropertyNames(type.prototype),
  ),
  ...'return if else throw new await async for of in const let this typeof instanceof null true false'.split(
    ' ',
  ),
  ...'break continue while do switch case default try catch finally void delete yield super'.split(' '),
])
const TOKEN = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`|[A-Za-z_$][\w$]*|\d[\w.]*|\s+|./gs

/** `· → Math.max(0, ·)`: what goes away and what comes, names by what they are. */
export function shapeOf(edit: Edit): string {
  return edit.changes
    .map((change) => `${before(edit, change).trim()} → ${after(edit, change).trim()}`.trim())
    .join(' ; ')
    .slice(0, SHAPE_MAX)
}

/** The shape with all names alike. */
export function outlineOf(shape: string): string {
  return shape.replace(/‹\w+›/g, '‹›')
}

/** `value of return`: where the edited piece stands. */
export function placeOf({ site }: Edit): string {
  return `${site.role} of ${site.parent?.kind ?? 'nothing'}`
}

function before(edit: Edit, { start, end, pieces }: Change): string {
  const ranges = pieces.filter(isRange).toSorted((a, b) => a.start - b.start)
  let text = ''
  let at = start
  for (const range of ranges) {
    if (range.start < at || range.end > end) continue
    text += quoted(edit, at, range.start) + KEPT
    at = range.end
  }
  return text + quoted(edit, at, end)
}

function after(edit: Edit, { start, end, pieces }: Change): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return worded(edit, piece)
      if (!isRange(piece)) return nameAt(edit.site, piece.ref)
      if (piece.start >= start && piece.end <= end) return KEPT
      return quoted(edit, piece.start, piece.end)
    })
    .join('')
}

function isRange(piece: Piece): piece is Exclude<Piece, string | { readonly ref: string }> {
  return typeof piece !== 'string' && !('ref' in piece)
}

/** A piece of the program; a long one is never the same elsewhere. */
function quoted(edit: Edit, start: number, end: number): string {
  return end - start > QUOTE_MAX ? '…' : worded(edit, edit.file.text.slice(start, end))
}

function worded(edit: Edit, text: string): string {
  let last = ''
  return text.replace(TOKEN, (token) => {
    const word = wordOf(edit.site, token, last)
    if (token.trim() !== '') last = token
    return word
  })
}

function wordOf(site: Node, token: string, last: string): string {
  if (token.trim() === '') return ' '
  if (/^['"`]./.test(token)) return token.length > 3 ? "'…'" : token
  if (/^\d/.test(token)) return /^\d$/.test(token) ? token : '#'
  if (!/^[A-Za-z_$]/.test(token)) return token
  if (last === '.') return KNOWN.has(token) ? token : '‹property›'
  return nameAt(site, token)
}

function nameAt(site: Node, name: string): string {
  const declared = find(site, name)
  if (declared !== null) return `‹${declared.is}›`
  return KNOWN.has(name) ? name : '‹name›'
}
