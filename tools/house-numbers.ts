// Counts how the house is built: folders, their circles, names, sizes, comments. Reads sources, runs nothing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { type Circles, circlesIn, roomsOf } from './house-circles.ts'
import { type NamedSource, namesIn, readWords, type Words } from './house-words.ts'
import { codeFiles, readImports } from './imports.ts'
import { isProduct } from './reach.ts'

export interface House extends Words {
  readonly flowFolders: readonly string[]
  /** Folders of the flow that are neither one of the ten words nor ports, work or sprint. */
  readonly flowFoldersBeside: readonly string[]
  /** By package: folders that import each other, directly or around corners, types included. */
  readonly circles: Readonly<Record<string, Circles>>
  readonly runFiles: number
  readonly nouns: Readonly<Record<string, NounFiles>>
  readonly functions: { readonly all: number; readonly over70: readonly string[] }
  readonly files: {
    readonly all: number
    readonly median: number
    readonly p90: number
    readonly max: number
  }
  readonly comments: { readonly all: number; readonly withoutReferent: number }
}

/** `central` files mention most nouns: every new one has to be entered there. */
interface NounFiles {
  readonly all: number
  readonly central: readonly string[]
}

const flowWords = [
  ...['idea', 'spec', 'claim', 'build', 'verify', 'review', 'merge', 'learn', 'supervise', 'ask'],
  ...['ports', 'work', 'sprint'],
]
const shownNouns = ['lesson', 'question', 'retrospective']
const nouns = [...shownNouns, 'conflict', 'notification', 'preference', 'receipt']
/** How many of these nouns a file must mention to be one of those that every noun touches. */
const centralFrom = 4
const withoutReferent =
  /^(?:What|It|Its|They|Their|Whoever|Whatever|Whichever|Whose|Who|Of|So|Nobody|Nothing|Null|Those|These|That|This|There|Here|Then|Thus|And|But|Or|Both|Neither|Otherwise|Else|Only)\b/
const functionLinesMax = 70

export function readHouse(root: string): House {
  const files = codeFiles(root, ['packages', 'apps']).filter(isProduct)
  const sources = files.map((file) => readSource(root, file))
  const flow = roomsOf(files, 'packages/flow')
  return {
    flowFolders: flow,
    flowFoldersBeside: flow.filter((name) => !flowWords.includes(name)),
    circles: circlesIn(readImports(root, files)),
    runFiles: files.filter((file) => file.endsWith('/run.ts')).length,
    nouns: countNouns(sources),
    ...readWords(root, sources),
    functions: {
      all: sources.reduce((sum, { functions }) => sum + functions.length, 0),
      over70: sources.flatMap(({ file, functions }) =>
        functions.filter(({ lines }) => lines > functionLinesMax).map(({ line }) => `${file}:${line}`),
      ),
    },
    files: sizes(sources.map(({ lines }) => lines)),
    comments: {
      all: sources.reduce((sum, { comments }) => sum + comments.length, 0),
      withoutReferent: sources
        .flatMap(({ comments }) => comments)
        .filter((text) => withoutReferent.test(text)).length,
    },
  }
}

interface Source extends NamedSource {
  readonly text: string
  readonly lines: number
  readonly functions: readonly { readonly line: number; readonly lines: number }[]
  /** Each from its first word; lines that follow each other are one comment. */
  readonly comments: readonly string[]
}

function readSource(root: string, file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const { program, comments } = parseSync(file, text)
  const lineOf = lineFinder(text)
  const functions = nodesIn(program)
    .filter(({ type }) => functionTypes.has(type))
    .map(({ start, end }) => ({ line: lineOf(start), lines: lineOf(end) - lineOf(start) + 1 }))
  const blocks = comments.filter(
    (comment, index) => !follows(text, comments[index - 1], comment) && !/^\/?\s*biome-/.test(comment.value),
  )
  return {
    file,
    text,
    lines: text.split('\n').length - 1,
    ...namesIn(program),
    functions,
    comments: blocks.map(({ value }) => value.replace(/^[\s*/]+/, '')),
  }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}
const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

function nodesIn(root: unknown): Node[] {
  const found: Node[] = []
  const left: unknown[] = [root]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== 'object' || next === null) continue
    if ('type' in next && 'start' in next) found.push(next as Node)
    left.push(...Object.values(next))
  }
  return found
}

type Comment = { readonly type: string; readonly start: number; readonly end: number }

function follows(text: string, before: Comment | undefined, comment: Comment): boolean {
  if (before?.type !== 'Line' || comment.type !== 'Line') return false
  return /^\n[ \t]*$/.test(text.slice(before.end, comment.start))
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

function countNouns(sources: readonly Source[]): House['nouns'] {
  const patterns = nouns.map((noun) => new RegExp(noun, 'i'))
  const central = new Set(
    sources
      .filter(({ text }) => patterns.filter((pattern) => pattern.test(text)).length >= centralFrom)
      .map(({ file }) => file),
  )
  return Object.fromEntries(
    shownNouns.map((noun) => {
      const files = sources.filter(({ text }) => new RegExp(noun, 'i').test(text)).map(({ file }) => file)
      return [noun, { all: files.length, central: files.filter((file) => central.has(file)) }]
    }),
  )
}

function sizes(lines: readonly number[]): House['files'] {
  const sorted = lines.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { all: sorted.length, median: at(0.5), p90: at(0.9), max: sorted.at(-1) ?? 0 }
}
