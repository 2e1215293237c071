// A conflict settled by the choices of a person: the merge they make, as a commit. No checkout is touched, no branch moves.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ConflictPart, FileChoice, PlaceChoice } from '@treadle/contracts/conflict-parts'
import type { SettledConflict, SettleRequest } from '@treadle/flow/ports/git'
import { type Conflicted, readConflict, TEXT_BYTES_MAX, type TreeEntry } from './conflict-parts.ts'
import type { Git } from './git.ts'
import { type Name, utf8 } from './names.ts'
import { treeOf } from './notes.ts'
import { needCommit } from './refs.ts'
import { makeCommit } from './sign.ts'

export async function settleConflict(git: Git, request: SettleRequest): Promise<SettledConflict> {
  const target = await needCommit(git, request.target)
  const branch = await needCommit(git, request.branch)
  const conflict = await readConflict(git, target, branch)
  if (conflict.files.length === 0) return refused('the two merge as they are: there is nothing to settle')
  if (conflict.more > 0)
    return refused(`there are ${conflict.more} more files in conflict than can be settled here`)
  const chosen = new Map(request.files.map((choice) => [choice.file, choice]))
  const changes: Change[] = []
  for (const [number, file] of conflict.files.entries()) {
    const decided = decideFile(file, chosen.get(number))
    if (decided.is === 'refused') return decided
    const entry = decided.is === 'text' ? await writeText(git, decided) : decided.entry
    changes.push(...file.leftAs.map((name) => ({ name, entry: name === file.name ? entry : null })))
  }
  const tree = await treeWith(git, conflict.tree, changes)
  if (tree === (await treeOf(git, target)))
    return refused('nothing of the change would be left; give it back or withdraw it instead')
  const { message } = request
  const { commit } = await makeCommit(git, { tree, parents: [branch, target], message, sign: false })
  return { is: 'settled', commit }
}

type Decided =
  | { readonly is: 'entry'; readonly entry: TreeEntry | null }
  | { readonly is: 'text'; readonly text: string; readonly mode: string }
  | Extract<SettledConflict, { is: 'refused' }>

function refused(why: string): Extract<SettledConflict, { is: 'refused' }> {
  return { is: 'refused', why }
}

function decideFile({ name, how, target, branch }: Conflicted, choice: FileChoice | undefined): Decided {
  const path = utf8(name)
  if (how.is === 'decided') return { is: 'entry', entry: target }
  if (how.is === 'by_hand') return refused(`${path} can only be resolved in a checkout`)
  if (choice === undefined) return refused(`${path} is not decided`)
  if (choice.is !== how.is)
    return refused(`${path} is decided ${how.is === 'whole' ? 'as a whole' : 'place by place'}`)
  if (choice.is === 'whole') return { is: 'entry', entry: choice.take === 'target' ? target : branch }
  return how.is === 'text' ? decideText(path, how, choice.places) : refused(`${path} is not decided`)
}

function decideText(
  path: string,
  { parts, mode }: { parts: readonly ConflictPart[]; mode: string },
  choices: readonly (PlaceChoice | null)[],
): Decided {
  const places = parts.filter(({ is }) => is === 'place').length
  if (choices.length !== places)
    return refused(`${path} has ${places} places to decide, and ${choices.length} were sent`)
  const open = choices.indexOf(null)
  if (open >= 0) return refused(`place ${open + 1} of ${places} in ${path} is not decided`)
  const text = settledText(
    parts,
    choices.flatMap((choice) => choice ?? []),
  )
  if (Buffer.byteLength(text) > 2 * TEXT_BYTES_MAX) return refused(`${path} would be too large`)
  return { is: 'text', text, mode }
}

type ConflictPlace = Extract<ConflictPart, { is: 'place' }>

function settledText(parts: readonly ConflictPart[], choices: readonly PlaceChoice[]): string {
  const whole = parts.map((part) => (part.is === 'same' ? part.text : part.target)).join('')
  let place = 0
  return parts
    .map((part, at) => {
      if (part.is === 'same') return part.text
      const choice = choices[place]
      place += 1
      if (choice === undefined) return ''
      const end = endingOf(part.target + part.branch) ?? endingOf(whole) ?? '\n'
      const text = chosenText(part, choice, end)
      const isLast = at === parts.length - 1
      return isLast ? text : ended(text, end)
    })
    .join('')
}

function chosenText(place: ConflictPlace, choice: PlaceChoice, end: '\n' | '\r\n'): string {
  switch (choice.is) {
    case 'target':
      return place.target
    case 'branch':
      return place.branch
    case 'both': {
      const [one, other] =
        choice.first === 'target' ? [place.target, place.branch] : [place.branch, place.target]
      return other === '' ? one : ended(one, end) + other
    }
    case 'text': {
      // A page sends the ends of lines as it likes; those of the file are kept.
      const text = end === '\r\n' ? choice.text.replace(/\r?\n/g, end) : choice.text
      const sides = [place.target, place.branch].filter((side) => side !== '')
      const isEndless = sides.length > 0 && sides.every((side) => !side.endsWith('\n'))
      return isEndless ? text : ended(text, end)
    }
  }
}

function ended(text: string, end: string): string {
  return text === '' || text.endsWith('\n') ? text : text + end
}

/** How lines end, if they all end alike. */
function endingOf(text: string): '\n' | '\r\n' | null {
  const all = text.split('\n').length - 1
  const returns = text.split('\r\n').length - 1
  if (all === 0) return null
  if (returns === all) return '\r\n'
  return returns === 0 ? '\n' : null
}

async function writeText(git: Git, { text, mode }: Extract<Decided, { is: 'text' }>): Promise<TreeEntry> {
  const cwd = await git.commonDir()
  // From standard input without a path: no attribute and no filter is asked.
  const { stdout } = await git.run(['hash-object', '-w', '--stdin'], {
    cwd,
    stdin: Buffer.from(text, 'utf8'),
  })
  return { mode, id: stdout.trim() }
}

interface Change {
  readonly name: Name
  /** Null: it goes. */
  readonly entry: TreeEntry | null
}

async function treeWith(git: Git, tree: string, changes: readonly Change[]): Promise<string> {
  const cwd = await git.commonDir()
  const file = join(cwd, `treadle-index-${process.pid}-${randomUUID()}`)
  const run = { cwd, env: { GIT_INDEX_FILE: file } }
  const gone = '0'.repeat(tree.length)
  try {
    await git.run(['read-tree', tree], run)
    const lines = [...changes]
      // What goes makes room for what comes.
      .sort((one, other) => Number(one.entry !== null) - Number(other.entry !== null))
      .map(({ name, entry }) => `${entry?.mode ?? '0'} ${entry?.id ?? gone}\t${name}\0`)
    await git.run(['update-index', '-z', '--index-info'], {
      ...run,
      stdin: Buffer.from(lines.join(''), 'latin1'),
    })
    return (await git.run(['write-tree'], run)).stdout.trim()
  } finally {
    for (const left of [file, `${file}.lock`]) rmSync(left, { force: true })
  }
}
