// A conflict decided on the page, place by place: what there is to decide, what is decided, and what is sent.
import type {
  ConflictPart,
  ConflictParts,
  FileChoice,
  PartedFile,
  PlaceChoice,
  Settlement,
  SideVersion,
  WholeBecause,
} from '@treadle/contracts/conflict-parts'

export type ConflictPlace = Extract<ConflictPart, { is: 'place' }>
type WholeFile = Extract<PartedFile, { is: 'whole' }>

/** One decision that is to be made: about a place of a text, or about a file that is taken whole. */
export type Spot = { readonly key: string; readonly path: string; readonly file: number } & (
  | {
      readonly is: 'place'
      /** In its file, from 1. */
      readonly number: number
      readonly of: number
      readonly place: ConflictPlace
      readonly before: string
      readonly after: string
    }
  | { readonly is: 'whole'; readonly whole: WholeFile }
)

export type Decisions = ReadonlyMap<string, PlaceChoice>

const CONTEXT_LINES = 3

/** A key is made of what is decided about, so that a decision outlives a new look as long as it is about the same. */
export function spotsOf({ target, branch, files }: ConflictParts): Spot[] {
  const seen = new Map<string, number>()
  const keyOf = (...words: readonly string[]): string => {
    const stem = JSON.stringify(words)
    const count = (seen.get(stem) ?? 0) + 1
    seen.set(stem, count)
    return `${stem} ${count}`
  }
  return files.flatMap((file): Spot[] => {
    const { path } = file
    if (file.is === 'by_hand') return []
    if (file.is === 'whole') {
      const key = keyOf(path, target.commit, branch.commit)
      return [{ is: 'whole', key, path, file: file.file, whole: file }]
    }
    const of = file.parts.filter(({ is }) => is === 'place').length
    let number = 0
    return file.parts.flatMap((part, at): Spot[] => {
      if (part.is === 'same') return []
      number += 1
      const key = keyOf(path, part.target, part.branch)
      const [before, after] = [sameAt(file.parts, at - 1), sameAt(file.parts, at + 1)]
      const context = { before: lastLines(before), after: firstLines(after) }
      return [{ is: 'place', key, path, file: file.file, number, of, place: part, ...context }]
    })
  })
}

function sameAt(parts: readonly ConflictPart[], at: number): string {
  const part = parts[at]
  return part?.is === 'same' ? part.text : ''
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
const lastLines = (text: string) => linesOf(text).slice(-CONTEXT_LINES).join('')
const firstLines = (text: string) => linesOf(text).slice(0, CONTEXT_LINES).join('')

/** The text of a place as it will be; null: not decided. */
export function resultOf({ target, branch }: ConflictPlace, choice: PlaceChoice | undefined): string | null {
  switch (choice?.is) {
    case undefined:
      return null
    case 'target':
      return target
    case 'branch':
      return branch
    case 'text':
      return choice.text
    case 'both': {
      const [one, other] = choice.first === 'target' ? [target, branch] : [branch, target]
      return one === '' || one.endsWith('\n') || other === '' ? one + other : `${one}\n${other}`
    }
  }
}

/** As a field shows it: where nothing is decided, editing begins with both. */
export function editable(place: ConflictPlace, choice: PlaceChoice | undefined): string {
  const text = resultOf(place, choice ?? { is: 'both', first: 'target' }) ?? ''
  return text.replace(/\r\n/g, '\n')
}

export function decidedCount(spots: readonly Spot[], decisions: Decisions): number {
  return spots.filter(({ key }) => decisions.has(key)).length
}

export function decidedWords(spots: readonly Spot[], decisions: Decisions): string {
  return `${decidedCount(spots, decisions)} of ${spots.length} decided`
}

/** Why it cannot be sent yet; null: it can. */
export function heldUpBy(parts: ConflictParts, spots: readonly Spot[], decisions: Decisions): string | null {
  if (parts.more > 0) return 'There are more files in conflict than can be resolved on this page.'
  const byHand = parts.files.find(({ is }) => is === 'by_hand')
  if (byHand !== undefined)
    return `${byHand.path} is a file on one side and a folder on the other, which cannot be resolved on this page.`
  const open = spots.length - decidedCount(spots, decisions)
  if (open === 0) return null
  return open === 1 ? 'One place is not decided yet.' : `${open} places are not decided yet.`
}

/** Null: something is not decided. */
export function settlementOf(parts: ConflictParts, decisions: Decisions): Settlement | null {
  const spots = spotsOf(parts)
  if (heldUpBy(parts, spots, decisions) !== null) return null
  const files = parts.files.map((file) => choiceOf(file, spots, decisions))
  return {
    target: parts.target.commit,
    branch: parts.branch.commit,
    files: files.flatMap((choice) => choice ?? []),
  }
}

function choiceOf({ is, file }: PartedFile, spots: readonly Spot[], decisions: Decisions): FileChoice | null {
  const chosen = spots.filter((spot) => spot.file === file).map(({ key }) => decisions.get(key) ?? null)
  if (is === 'text') return { is, file, places: chosen }
  const take = chosen[0]?.is
  return is === 'whole' && (take === 'target' || take === 'branch') ? { is, file, take } : null
}

/** Where to go from here; stays at the ends. */
export function stepTo(spots: readonly Spot[], at: number, by: 1 | -1): number {
  return Math.max(0, Math.min(spots.length - 1, at + by))
}

/** The next one that is open, from here on and then from the beginning; null: none. */
export function nextOpen(spots: readonly Spot[], decisions: Decisions, from: number): number | null {
  const order = [...spots.keys()]
  const found = [...order.slice(from), ...order.slice(0, from)].find(
    (at) => !decisions.has(spots[at]?.key ?? ''),
  )
  return found ?? null
}

/** Null: a key that a file taken whole knows nothing of. */
export function choiceFor(spot: Spot, choice: PlaceChoice): PlaceChoice | null {
  return spot.is === 'place' || choice.is === 'target' || choice.is === 'branch' ? choice : null
}

export const BECAUSE_WORDS: Record<WholeBecause, string> = {
  deleted: 'One side deleted it, the other changed it.',
  moved: 'The two sides renamed or moved it in different ways.',
  not_text: 'It is not text that can be merged line by line.',
  mode: 'The two sides disagree on whether it can be executed.',
  too_large: 'It is too large to be merged line by line here.',
}

const VERSION_WORDS: Record<SideVersion['is'], string> = {
  file: 'File',
  executable: 'Executable file',
  link: 'Symbolic link',
  submodule: 'Submodule',
}

export function versionWords(version: SideVersion | null): string {
  if (version === null) return 'Not there'
  const size = version.bytes === null ? '' : `, ${version.bytes.toLocaleString('en')} bytes`
  return `${VERSION_WORDS[version.is]}${size}`
}
