// The texts as they were printed, what was left out, and who plays which part.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signatureOf } from '@treadle/flow/verify/failure/signature'
import { drawNumber, drawOrder } from '../repair/draw.ts'
import type { Kind, Runner, Variant } from './kind.ts'
import { openProject, runners, type Texts } from './project.ts'
import { libraries } from './snippets/libraries.ts'
import { nodeCore } from './snippets/node-core.ts'
import { programs } from './snippets/programs.ts'

const DISTRACTORS = 200

export type Side = 'tuning' | 'aside'

/** One kind of error, printed twice by snippets that share no name. */
export interface Case {
  readonly id: string
  readonly library: string
  readonly recorded: string
  readonly asked: string
}

export interface Corpus {
  readonly cases: readonly Case[]
  /** Kinds that printed nothing, for the program is not there. */
  readonly leftOut: readonly string[]
}

export interface Parts {
  readonly questions: Readonly<Record<Side, readonly Case[]>>
  readonly distractors: readonly Case[]
}

/** The two projects have nothing but their kinds of slips in common. */
const projects: Readonly<Record<Variant, string>> = { recorded: 'shop', asked: 'clients/planner/server' }

export async function printAll(): Promise<Corpus> {
  const kinds = [...nodeCore, ...libraries, ...programs]
  const folder = await mkdtemp(path.join(tmpdir(), 'treadle-hindsight-'))
  try {
    const recorded = await printOnce(path.join(folder, projects.recorded), 'recorded', kinds)
    const asked = await printOnce(path.join(folder, projects.asked), 'asked', kinds)
    const cases = kinds.flatMap(({ id, library }): Case[] => {
      const [first, second] = [recorded.get(id), asked.get(id)]
      return first && second ? [{ id, library, recorded: first, asked: second }] : []
    })
    const there = new Set(cases.map(({ id }) => id))
    return { cases, leftOut: kinds.map(({ id }) => id).filter((id) => !there.has(id)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function printOnce(folder: string, variant: Variant, kinds: readonly Kind[]): Promise<Texts> {
  const project = await openProject(folder, variant)
  const order: readonly Runner[] = ['node', 'shell', 'tsc', 'biome', 'vitest']
  const texts: Texts = new Map()
  for (const runner of order) {
    const own = kinds.filter((kind) => kind.runner === runner)
    for (const [id, text] of await runners[runner](project, own)) texts.set(id, text)
  }
  return texts
}

/**
 * By lot, from the id alone: no result decides who is a distractor and what is put aside.
 * A text without names and numbers is the same both times; as a question it would be too easy.
 */
export function dealt(cases: readonly Case[]): Parts {
  const drawn = drawOrder('hindsight distractors, 1', cases, ({ id }) => id)
  const same = drawn.filter(({ recorded, asked }) => recorded === asked)
  const order = [...same, ...drawn.filter(({ recorded, asked }) => recorded !== asked)]
  const questions = order.slice(DISTRACTORS)
  const on = (side: Side) => questions.filter(({ id }) => sideOf(id) === side)
  return {
    questions: { tuning: on('tuning'), aside: on('aside') },
    distractors: order.slice(0, DISTRACTORS),
  }
}

export function sideOf(id: string): Side {
  return drawNumber('hindsight sides, 1', id) < 0.5 ? 'tuning' : 'aside'
}

/** The signature that a failure with this text would be kept under. */
export function signatureIn(text: string): string {
  const file = /\b(?:test|checks)\/\w+\.test\.mjs/.exec(text)?.[0] ?? null
  return signatureOf({ id: 'one', file, line: null, message: messageIn(text), stack: text }).text
}

/** Python says at the end what others say at the beginning. */
function messageIn(text: string): string {
  return /^(?:Traceback| +File ")/.test(text) ? (text.trimEnd().split('\n').at(-1) ?? text) : text
}
