// The same calls to several programs: the head, the base, and other patches of the base that a search finds.
import { isDeepStrictEqual } from 'node:util'
import type { InputsCompared, InputsOrder, OtherPatch } from '@treadle/contracts/inputs'
import { openScratch, type RepairSandbox, type Scratch } from '../confined.ts'
import { applyChanges, changesByFile, diffOf } from '../edits/patch.ts'
import { loadModules, type OtherTexts } from '../project/load.ts'
import { repair } from '../repair.ts'
import { nullifies, type Ranked } from '../search/rank.ts'
import { callAll } from './call-all.ts'

export interface CompareOptions {
  readonly sandbox: RepairSandbox
}

const PATCHES_MAX = 3
const BASELINE_MS = 40_000

export async function compareInputs(
  order: InputsOrder,
  { sandbox }: CompareOptions,
): Promise<InputsCompared> {
  const scratch = await openScratch(order.cwd, sandbox)
  if (scratch.is === 'refused') return { is: 'not_run', why: scratch.why }
  try {
    return await new Comparing(order, { sandbox, scratch }).run()
  } finally {
    scratch.remove()
  }
}

interface CompareMeans extends CompareOptions {
  readonly scratch: Scratch
}

interface Searched {
  readonly ranked: readonly Ranked[]
  /** What became of it. */
  readonly words: string
  /** The clock ended it while it tried. Tests that take too long before that are no matter of a busy machine. */
  readonly isCut: boolean
}

class Comparing {
  readonly #order: InputsOrder
  readonly #means: CompareMeans
  readonly #signal: AbortSignal

  constructor(order: InputsOrder, means: CompareMeans) {
    this.#order = order
    this.#means = means
    this.#signal = AbortSignal.timeout(order.budgetMs)
  }

  async run(): Promise<InputsCompared> {
    const base: OtherTexts = new Map(Object.entries(this.#order.base))
    const head = await this.#call(new Map())
    const old = await this.#call(base)
    const isMended = old.some((each, at) => each.is !== 'none' && !isDeepStrictEqual(each, head[at]))
    const { ranked, words, isCut } = await this.#search(base, isMended)
    const others: OtherPatch[] = []
    for (const { found } of ranked) {
      const patched = new Map(base)
      for (const [path, { text, changes }] of changesByFile(found.edits))
        patched.set(path, applyChanges(text, changes))
      others.push({ diff: diffOf(found.edits), outcomes: await this.#call(patched) })
    }
    return { is: 'compared', head, base: old, others, search: words, isCut: isCut && others.length === 0 }
  }

  #call(texts: OtherTexts) {
    const { cwd, calls } = this.#order
    const paths = [...new Set(calls.map(({ file }) => file))]
    const project = loadModules(cwd, paths, texts)
    return callAll({ project, scratch: this.#means.scratch, calls, signal: this.#signal })
  }

  /** Patches of the kind that is more often right than not, and that make all tests pass. */
  async #search(texts: OtherTexts, isMended: boolean): Promise<Searched> {
    const { cwd, searchMs, candidatesMax } = this.#order
    if (searchMs === 0 || !isMended)
      return { ranked: [], words: 'no other patch was searched for', isCut: false }
    let ranked: readonly Ranked[] = []
    let isCut = false
    const asked = {
      cwd,
      testCommand: null,
      texts,
      about: [...texts.keys()],
      budgetSeconds: searchMs / 1_000,
      maxCandidates: candidatesMax,
      isCounted: true,
      typecheck: 'off',
      tellsApart: false,
      sandbox: this.#means.sandbox,
      onRanked: (all: readonly Ranked[]) => {
        ranked = all.filter(isLikely).slice(0, PATCHES_MAX)
      },
      onSearched: (ended: { isCut: boolean }) => {
        isCut = ended.isCut
      },
    } as const
    // The tests of the base are run before the search begins, which its own budget does not count.
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(BASELINE_MS + searchMs)])
    const { reason } = await repair(asked, undefined, signal)
    return { ranked, words: reason, isCut }
  }
}

/** One small change of a word or an operator, without a value that stands only in the tests. */
function isLikely({ found, trust, special, types }: Ranked): boolean {
  const [edit] = found.edits
  const isSmall = found.edits.length === 1 && edit !== undefined && !nullifies(edit)
  return isSmall && trust === 'token' && !special && types !== 'unclean'
}
