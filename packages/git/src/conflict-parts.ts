// A conflict in parts that a person decides: places of texts, and whole sides of everything else. Objects only.
import type {
  ConflictPart,
  ConflictParts,
  PartedFile,
  SideVersion,
  WholeBecause,
} from '@treadle/contracts/conflict-parts'
import type { PartsRequest } from '@treadle/flow/ports/git'
import { mergeBase } from './ancestry.ts'
import type { Git } from './git.ts'
import { type Name, namesOf, utf8 } from './names.ts'
import { mergePlaces } from './place-merge.ts'
import { needCommit } from './refs.ts'

const FILES_MAX = 50
/** Of one version of a file; larger ones are taken whole. */
export const TEXT_BYTES_MAX = 512 * 1024
const ALL_BYTES_MAX = 4 * 1024 * 1024

/** A file of a tree. */
export interface TreeEntry {
  readonly mode: string
  readonly id: string
}

/** A name that conflicts. */
export interface Conflicted {
  readonly name: Name
  /** Under which the merge has left something; each of them goes when it is decided. */
  readonly leftAs: readonly Name[]
  readonly target: TreeEntry | null
  readonly branch: TreeEntry | null
  readonly how:
    | {
        readonly is: 'text'
        readonly mode: string
        readonly parts: readonly ConflictPart[]
        readonly isNew: boolean
      }
    | { readonly is: 'whole'; readonly because: WholeBecause }
    | { readonly is: 'by_hand' }
    /** Both sides have the same, or neither has anything. */
    | { readonly is: 'decided' }
}

interface ReadConflict {
  /** What the merge leaves; right but for the names that conflict. */
  readonly tree: string
  readonly files: readonly Conflicted[]
  readonly more: number
  readonly bytes: ReadonlyMap<string, number>
}

export async function conflictParts(git: Git, request: PartsRequest): Promise<ConflictParts | null> {
  const branch = { name: request.branch.name, commit: await needCommit(git, request.branch.commit) }
  const target = { name: request.target.name, commit: await needCommit(git, request.target.commit) }
  if ((await mergeBase(git, target.commit, branch.commit)) === null) return null
  const { files, more, bytes } = await readConflict(git, target.commit, branch.commit)
  const shown = files.flatMap((each, file) => shownFile(each, { file, path: utf8(each.name) }, bytes))
  return { branch, target, files: shown, more }
}

function shownFile(
  { how, target, branch }: Conflicted,
  inConflict: { file: number; path: string },
  bytes: ReadonlyMap<string, number>,
): PartedFile[] {
  switch (how.is) {
    case 'decided':
      return []
    case 'by_hand':
      return [{ is: 'by_hand', ...inConflict }]
    case 'text': {
      const kind = how.isNew ? 'both_added' : 'both_changed'
      return [{ is: 'text', ...inConflict, kind, parts: [...how.parts] }]
    }
    case 'whole': {
      const sides = { target: versionOf(target, bytes), branch: versionOf(branch, bytes) }
      return [{ is: 'whole', ...inConflict, because: how.because, ...sides }]
    }
  }
}

const LINK = '120000'
const SUBMODULE = '160000'
const KINDS: Readonly<Record<string, SideVersion['is']>> = {
  [LINK]: 'link',
  [SUBMODULE]: 'submodule',
  '100755': 'executable',
}

function versionOf(entry: TreeEntry | null, bytes: ReadonlyMap<string, number>): SideVersion | null {
  return entry === null ? null : { is: KINDS[entry.mode] ?? 'file', bytes: bytes.get(entry.id) ?? null }
}

/** Of the same two commits it is always the same, so that decisions can be sent by number. */
export async function readConflict(git: Git, target: string, branch: string): Promise<ReadConflict> {
  const { tree, stages } = await mergeStages(git, target, branch)
  if (stages.length === 0) return { tree, files: [], more: 0, bytes: new Map() }
  const sides = { target: await treeEntries(git, target), branch: await treeEntries(git, branch) }
  const groups = groupsOf(stages, [target, branch])
  const names = [...groups.keys()].sort()
  const looked = names.slice(0, FILES_MAX).map((name) => lookAt(name, groups.get(name) ?? [], sides))
  const bytes = await sizesOf(git, looked)
  const files: Conflicted[] = []
  let budget = ALL_BYTES_MAX
  for (const each of looked) {
    const size = sizeOf(each, bytes)
    const fits = size <= budget && largestOf(each, bytes) <= TEXT_BYTES_MAX
    const file = await asText(git, each, fits)
    if (file.how.is === 'text') budget -= size
    files.push(file)
  }
  return { tree, files, more: names.length - looked.length, bytes }
}

interface Stage extends TreeEntry {
  /** 1 is the version where both began, 2 that of the target, 3 that of the branch. */
  readonly stage: string
  readonly leftAs: Name
}

async function mergeStages(
  git: Git,
  target: string,
  branch: string,
): Promise<{ tree: string; stages: Stage[] }> {
  // As in every merge of ours: attributes come from the target, not from whatever the user has in the checkout.
  const run = { cwd: await git.commonDir(), env: { GIT_ATTR_SOURCE: target }, ok: [0, 1] }
  const args = ['merge-tree', '--write-tree', '-z', '--no-messages', target, branch]
  const [tree = '', ...entries] = namesOf((await git.run(args, run)).bytes)
  const stages = entries.flatMap((entry): Stage[] => {
    const [, mode, id, stage, leftAs] = /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(entry) ?? []
    if (mode === undefined || id === undefined || stage === undefined || leftAs === undefined) return []
    return [{ mode, id, stage, leftAs }]
  })
  return { tree, stages }
}

async function treeEntries(git: Git, commit: string): Promise<Map<Name, TreeEntry>> {
  const found = new Map<Name, TreeEntry>()
  for (const line of namesOf((await git.run(['ls-tree', '-r', '-z', commit])).bytes)) {
    const [, mode, id, name] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? []
    if (mode !== undefined && id !== undefined && name !== undefined) found.set(name, { mode, id })
  }
  return found
}

/** Where two things cannot have one name, git puts one aside under a name that ends with its commit. */
function groupsOf(stages: readonly Stage[], commits: readonly string[]): Map<Name, Stage[]> {
  const aside = new RegExp(`~(${commits.join('|')})(_\\d+)?$`)
  const groups = new Map<Name, Stage[]>()
  for (const stage of stages) {
    const name = stage.leftAs.replace(aside, '')
    groups.set(name, [...(groups.get(name) ?? []), stage])
  }
  return groups
}

interface Sides {
  readonly target: ReadonlyMap<Name, TreeEntry>
  readonly branch: ReadonlyMap<Name, TreeEntry>
}

type Looked = Omit<Conflicted, 'how'> & {
  readonly base: TreeEntry | null
  /** Null: not text, or not to be merged as such. */
  readonly mode: string | null
  readonly how: Exclude<Conflicted['how'], { is: 'text' }>
}

function lookAt(name: Name, stages: readonly Stage[], sides: Sides): Looked {
  const at = (stage: string) => stages.find((each) => each.stage === stage) ?? null
  const [base, ours, theirs] = [at('1'), at('2'), at('3')]
  const [target, branch] = [entryOf(name, ours, sides.target), entryOf(name, theirs, sides.branch)]
  const leftAs = [...new Set([name, ...stages.map((each) => each.leftAs)])]
  const known = { name, leftAs, target, branch, base, mode: null }
  const isAside = leftAs.length > 1
  if (isAside && (hasFolder(sides.target, name) || hasFolder(sides.branch, name)))
    return { ...known, how: { is: 'by_hand' } }
  if (isSame(target, branch)) return { ...known, how: { is: 'decided' } }
  if (target === null || branch === null) return { ...known, how: whole(base === null ? 'moved' : 'deleted') }
  if (![target, branch, base].every(isRegular)) return { ...known, how: whole('not_text') }
  // A version that neither side has is one that git has merged before, maybe with markers in it.
  const isPlain = !isAside && ours?.id === target.id && theirs?.id === branch.id
  if (!isPlain) return { ...known, how: whole('moved') }
  const mode = mergedMode(target.mode, branch.mode, base?.mode ?? null)
  return { ...known, mode, how: whole(mode === null ? 'mode' : 'not_text') }
}

const whole = (because: WholeBecause) => ({ is: 'whole', because }) as const
const isRegular = (entry: TreeEntry | null) => entry === null || entry.mode.startsWith('100')
const isSame = (one: TreeEntry | null, other: TreeEntry | null) =>
  one?.id === other?.id && one?.mode === other?.mode

/** What a side really has: the version in the merge if the side has it anywhere (it may be renamed), else that of the name. */
function entryOf(name: Name, stage: Stage | null, side: ReadonlyMap<Name, TreeEntry>): TreeEntry | null {
  const own = side.get(name) ?? null
  if (stage === null || stage.id === own?.id) return own
  for (const { id, mode } of side.values()) if (id === stage.id && mode === stage.mode) return { id, mode }
  return own
}

function hasFolder(side: ReadonlyMap<Name, TreeEntry>, name: Name): boolean {
  for (const each of side.keys()) if (each.startsWith(`${name}/`)) return true
  return false
}

/** Null: both sides have changed it, each in its own way. */
function mergedMode(target: string, branch: string, base: string | null): string | null {
  if (target === branch || branch === base) return target
  return target === base ? branch : null
}

async function sizesOf(git: Git, files: readonly Looked[]): Promise<Map<string, number>> {
  const entries = files.flatMap(({ target, branch, base }) => [target, branch, base])
  const ids = [
    ...new Set(entries.flatMap((entry) => (entry === null || entry.mode === SUBMODULE ? [] : entry.id))),
  ]
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    stdin: ids.map((id) => `${id}\n`).join(''),
  })
  return new Map(
    stdout.split('\n').flatMap((line): [string, number][] => {
      const [, id, size] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? []
      return id === undefined || size === undefined ? [] : [[id, Number(size)]]
    }),
  )
}

function eachSize({ target, branch, base }: Looked, bytes: ReadonlyMap<string, number>): number[] {
  return [target, branch, base].flatMap((entry) =>
    entry === null ? [] : (bytes.get(entry.id) ?? Number.POSITIVE_INFINITY),
  )
}
const sizeOf = (file: Looked, bytes: ReadonlyMap<string, number>) =>
  eachSize(file, bytes).reduce((sum, size) => sum + size, 0)
const largestOf = (file: Looked, bytes: ReadonlyMap<string, number>) => Math.max(0, ...eachSize(file, bytes))

/** Its places, if its versions are texts. */
async function asText(git: Git, looked: Looked, fits: boolean): Promise<Conflicted> {
  const { base, mode, ...file } = looked
  const { target, branch } = file
  if (mode === null || target === null || branch === null) return file
  if (!fits) return { ...file, how: { is: 'whole', because: 'too_large' } }
  const read = (entry: TreeEntry) => textOf(git, entry.id)
  const versions = {
    target: await read(target),
    branch: await read(branch),
    base: base === null ? null : await read(base),
  }
  const texts = { ...versions, target: versions.target ?? '', branch: versions.branch ?? '' }
  if (versions.target === null || versions.branch === null || (base !== null && versions.base === null))
    return file
  const parts = await mergePlaces(git, texts)
  // What git has called a conflict is not decided by us because another way of merging finds none.
  if (!parts.some(({ is }) => is === 'place')) return file
  return { ...file, how: { is: 'text', mode, parts, isNew: base === null } }
}

/** Null: it is no text that comes back as it was. */
async function textOf(git: Git, id: string): Promise<string | null> {
  const { bytes, stdout } = await git.run(['cat-file', 'blob', id])
  return bytes.includes(0) || !Buffer.from(stdout, 'utf8').equals(bytes) ? null : stdout
}
