// Sorts green patches by what they do, and finds the question that is left to a person.
import type { Scratch } from '../confined.ts'
import type { OtherTexts, Project } from '../project/load.ts'
import type { RivalQuestion } from '../result.ts'
import type { TestResult } from '../run/protocol.ts'
import type { Ranked } from '../search/rank.ts'
import { isSyntax } from '../tree/convert.ts'
import { questionOf } from './answer.ts'
import { type Observing, type Outcome, observeProbes } from './observe-rivals.ts'
import type { NamedValues } from './other-values.ts'
import { type Probe, probesOf } from './probes.ts'
import { type Apart, distinguish, tellApart } from './tell-apart.ts'

export interface RivalsOptions {
  readonly project: Project
  readonly command: string | null
  readonly texts: OtherTexts | undefined
  readonly scratch: Scratch
  readonly split: { readonly failing: readonly TestResult[] }
  readonly signal: AbortSignal | undefined
}

/** Patches that are asked what they do; the others are too unlikely. */
const PATCHES_MAX = 8
const TOGETHER = 2
const NAMED_MAX = 12
const TEXT_CHARS_MAX = 40

/** Patches that may still be offered, with those that do the same set aside. */
export class Rivals {
  readonly #apart: readonly Apart<Ranked>[]
  readonly #rest: readonly Ranked[]
  readonly #probes: readonly Probe[]
  readonly #texts: OtherTexts

  constructor(found: {
    apart: readonly Apart<Ranked>[]
    rest: readonly Ranked[]
    probes: readonly Probe[]
    texts: OtherTexts
  }) {
    this.#apart = found.apart
    this.#rest = found.rest
    this.#probes = found.probes
    this.#texts = found.texts
  }

  /** Best first, one of each behaviour. */
  get ranked(): Ranked[] {
    return [...this.#apart.map(({ first }) => first), ...this.#rest]
  }

  /** How many others do the same. */
  alike(patch: Ranked): number {
    return this.#of(patch)?.alike.length ?? 0
  }

  /** What a person is asked about the first of these; null: it has no rival, or nothing can be asked. */
  question(
    offered: readonly Ranked[],
    isRival: (other: Ranked, best: Ranked) => boolean,
  ): RivalQuestion | null {
    const [best] = offered
    const close = offered.filter((patch) => patch === best || (best !== undefined && isRival(patch, best)))
    const known = close.map((patch) => ({
      place: offered.indexOf(patch),
      outcomes: this.#of(patch)?.outcomes ?? [],
    }))
    const found = known.length < 2 ? null : distinguish(this.#probes, known)
    if (found === null) return null
    const answers = found.answers.map(({ answer, of }) => ({
      answer,
      of: of.flatMap((index) => known[index]?.place ?? []),
    }))
    return questionOf({ ...found, answers }, this.#texts.get(found.probe.path) ?? '')
  }

  #of(patch: Ranked): Apart<Ranked> | undefined {
    return this.#apart.find(({ first }) => first === patch)
  }
}

export async function sortRivals(ranked: readonly Ranked[], options: RivalsOptions): Promise<Rivals> {
  const { project, split, signal } = options
  const asked = ranked.slice(0, PATCHES_MAX)
  const rest = ranked.slice(PATCHES_MAX)
  const texts = new Map(options.texts)
  const modules = new Set(split.failing.map(({ module }) => module))
  const tests = project.files.filter((file) => file.isTest && modules.has(file.index))
  for (const { path, text } of tests) texts.set(path, text)
  const failing = new Set(split.failing.map(({ name }) => name.split(' > ').at(-1) ?? ''))
  const given = tests.map(({ path, text }) => ({ path, text, failing }))
  const probes = asked.length < 2 ? [] : probesOf(given, namedIn(asked))
  const unsorted = { apart: [], rest: ranked, probes, texts }
  if (probes.length === 0) return new Rivals(unsorted)
  const observing: Observing = { ...options, cwd: project.root, texts, probes }
  const seen: Outcome[][] = []
  const programs = [[], ...asked.map(({ found }) => found.edits)]
  for (let from = 0; from < programs.length; from += TOGETHER) {
    if (signal?.aborted === true) return new Rivals(unsorted)
    const some = programs.slice(from, from + TOGETHER)
    seen.push(...(await Promise.all(some.map((edits) => observeProbes(observing, edits)))))
  }
  const [base = [], ...own] = seen
  const behaviours = asked.map((patch, at) => ({ patch, outcomes: own[at] ?? [] }))
  return new Rivals({ ...unsorted, apart: tellApart(behaviours, base), rest })
}

/** Numbers and texts in the edited files, those of their types among them. */
function namedIn(ranked: readonly Ranked[]): NamedValues {
  const files = new Set(ranked.flatMap(({ found }) => found.edits.map(({ file }) => file)))
  const literals = [...files].flatMap(({ parsed }) => literalsIn(parsed.program))
  const numbers = literals.filter((value) => typeof value === 'number')
  const texts = literals.filter((value) => typeof value === 'string' && value.length < TEXT_CHARS_MAX)
  return {
    numbers: [...new Set(numbers)].slice(0, NAMED_MAX),
    texts: [...new Set(texts as string[])].slice(0, NAMED_MAX),
  }
}

function literalsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(literalsIn)
  if (!isSyntax(value) || value.type === 'ImportDeclaration') return []
  return value.type === 'Literal' ? [value.value] : Object.values(value).flatMap(literalsIn)
}
