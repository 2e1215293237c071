// Which faults are planted: small edits of changed lines, spread over the lines, each one once.
import { makeEdits, operators } from '../edits/catalogue.ts'
import { contextsFor } from '../edits/context.ts'
import { type Edit, sourceChanges } from '../edits/edit.ts'
import { applyChanges, changesByFile } from '../edits/patch.ts'
import { statementsOf } from '../localise/hits.ts'
import { lineOf } from '../localise/localise.ts'
import type { Project, SourceFile } from '../project/load.ts'
import { statementOf } from '../tree/node.ts'
import { branchProbes } from './branches.ts'
import { otherResults } from './other-result.ts'

/** Operators that nearly always make another program; those that add defaults, copies or guards often do not. */
const PLANTING: ReadonlySet<string> = new Set([
  'compare-boundary',
  'compare-direction',
  'arithmetic-operator',
  'arithmetic-order',
  'arithmetic-drop',
  'number-near',
  'boolean-flip',
  'connective',
  'negate',
  'drop-condition',
  'swap-branches',
  'one-branch',
  'drop-guard',
  'method-family',
  'argument-order',
  'drop-argument',
  'assign-operator',
  'update-operator',
  'sign',
  'throw-return',
  'other-jump',
  'delete-statement',
  'drop-await',
])
const EDITS_MAX = 5_000
/** Faults of one place in the text. */
const PER_PLACE_MAX = 2
/** Below it, an operator itself thinks little of what it proposes. */
const WEIGHT_MIN = 0.7

const PRIORS = new Map(operators.map(({ id, prior }) => [id, prior]))

export interface Planted {
  readonly edit: Edit
  readonly line: number
}

export interface Lines {
  /** From 1. */
  readonly of: ReadonlyMap<string, ReadonlySet<number>>
}

/** Best first within a line, and the lines by turns, so that a bound leaves none out. */
export function plant(project: Project, files: readonly SourceFile[], lines: Lines): Planted[] {
  const contextOf = contextsFor(project, [])
  const suspects = files.flatMap((file) => suspectsIn(file, lines.of.get(file.path) ?? new Set()))
  const edits = makeEdits({ suspects, contextOf, max: EDITS_MAX, by: PLANTING })
  const wanted = edits
    .filter(
      (edit) =>
        edit.score >= WEIGHT_MIN * (PRIORS.get(edit.op) ?? 0) &&
        !edit.special &&
        isTelling(edit) &&
        !isAlike(edit),
    )
    .map((edit) => ({ edit, line: lineOf(edit.file.text, firstOf(edit)) }))
    .filter(({ edit, line }) => lines.of.get(edit.file.path)?.has(line) === true)
  const faults = [...otherResults(files, lines), ...fewPerPlace(distinct(wanted))]
  return faults.length === 0 ? [] : byTurns([...branchProbes(files, lines), ...faults])
}

function suspectsIn(file: SourceFile, lines: ReadonlySet<number>) {
  return statementsOf(file)
    .map(({ node }) => ({ node, from: lineOf(file.text, node.start), to: lineOf(file.text, node.end) }))
    .filter(({ from, to }) => [...lines].some((line) => line >= from && line <= to))
    .map(({ node, from }) => ({ file, node, score: 1, line: from, failing: 0, passing: 0 }))
}

function firstOf(edit: Edit): number {
  return Math.min(...edit.changes.map(({ start }) => start))
}

/** Often the same to a program: it takes the one or the other. */
const ALIKE: readonly ReadonlySet<string>[] = [
  ['replace', 'replaceAll'],
  ['reduce', 'reduceRight'],
  ['slice', 'substring', 'substr'],
  ['floor', 'trunc'],
  ['find', 'findLast'],
  ['findIndex', 'findLastIndex', 'indexOf', 'lastIndexOf'],
  ['map', 'flatMap', 'forEach'],
  ['charCodeAt', 'codePointAt'],
  ['charAt', 'at'],
  ['sort', 'toSorted'],
  ['reverse', 'toReversed'],
  ['test', 'exec'],
  ['call', 'apply'],
  ['isInteger', 'isSafeInteger', 'isFinite'],
  ['all', 'allSettled'],
  ['freeze', 'seal'],
  ['parseFloat', 'Number', 'parseInt'],
  ['getFullYear', 'getUTCFullYear'],
  ['getMonth', 'getUTCMonth'],
  ['getDate', 'getUTCDate'],
  ['getHours', 'getUTCHours'],
  ['getMinutes', 'getUTCMinutes'],
].map((words) => new Set(words))

function isAlike(edit: Edit): boolean {
  return sourceChanges(edit).some(({ start, end, text }) => {
    const [was, is] = [edit.file.text.slice(start, end), text].map((word) => word.replace(/\W/g, ''))
    return ALIKE.some((words) => words.has(was ?? '') && words.has(is ?? ''))
  })
}

const SILENT = /^\s*(?:console|log|logger|debug)\b/

/** A program that only says less is hardly ever another one to its tests. */
function isTelling(edit: Edit): boolean {
  const { start, end } = statementOf(edit.site)
  return !SILENT.test(edit.file.text.slice(start, end))
}

/** The same text twice is one program, and the text as it was is none; blanks mean nothing. */
function distinct(planted: readonly Planted[]): Planted[] {
  const seen = new Set<string>()
  return planted.filter(({ edit }) => {
    const text = bare(textAfter(edit))
    const key = `${edit.file.path}\0${text}`
    if (text === bare(edit.file.text) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function bare(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function fewPerPlace(planted: readonly Planted[]): Planted[] {
  const counts = new Map<string, number>()
  return planted.filter(({ edit }) => {
    const key = `${edit.file.path}:${firstOf(edit)}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= PER_PLACE_MAX
  })
}

function byTurns(planted: readonly Planted[]): Planted[] {
  const lines = [...Map.groupBy(planted, ({ edit, line }) => `${edit.file.path}:${line}`).values()]
  const longest = Math.max(0, ...lines.map((own) => own.length))
  return Array.from({ length: longest }, (_, turn) => lines.flatMap((own) => own[turn] ?? [])).flat()
}

export function textAfter(edit: Edit): string {
  const changed = changesByFile([edit]).get(edit.file.path)
  return changed === undefined ? edit.file.text : applyChanges(edit.file.text, changed.changes)
}

const SHOWN_MAX = 160

/** The lines that it touches, as they were and as they are. */
export function shownEdit(edit: Edit): { before: string; after: string } {
  const { text } = edit.file
  const changes = sourceChanges(edit).toSorted((a, b) => a.start - b.start)
  const from = text.lastIndexOf('\n', firstOf(edit) - 1) + 1
  const last = Math.max(...changes.map(({ end }) => end))
  const end = text.indexOf('\n', last)
  const to = end < 0 ? text.length : end
  const moved = changes.map((each) => ({ ...each, start: each.start - from, end: each.end - from }))
  const after = applyChanges(text.slice(from, to), moved)
  return { before: shown(text.slice(from, to)), after: shown(after) }
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line
}
