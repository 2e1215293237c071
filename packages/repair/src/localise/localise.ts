// How suspicious each statement is: ran by failing tests and not by passing ones, or named in a failure's stack.
import type { Project, SourceFile } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import type { Node } from '../tree/node.ts'
import { type EditSite, Hits, statementsOf } from './hits.ts'
import { Likelihood, withReaders } from './likely-files.ts'

export interface Suspect extends EditSite {
  readonly score: number
  readonly line: number
  /** Tests that run it, failing and passing. */
  readonly failing: number
  readonly passing: number
  /** Keys of the failing tests that run it; absent where nobody knows. */
  readonly tests?: readonly string[]
}

/** A statement may be to blame for one of several failures that have nothing else in common. */
const ALONE = 0.85

const FRAME_BOOSTS = [1.5, 1.3, 1.15]

export function localise(
  project: Project,
  failing: readonly TestResult[],
  passing: readonly TestResult[],
): Suspect[] {
  const frames = new Frames(project, failing)
  const likelihood = new Likelihood(project, failing)
  const suspects: Suspect[] = []
  for (const file of project.files) {
    if (file.isTestCode || file.path.endsWith('.json')) continue
    const bad = failing.map((test) => new Hits(file, test.hits[file.index] ?? []))
    const good = passing.map((test) => new Hits(file, test.hits[file.index] ?? []))
    for (const { node } of statementsOf(file)) {
      const tests = failing.filter((_, index) => bad[index]?.has(node)).map((test) => test.key)
      const ef = tests.length
      if (ef === 0) continue
      const ep = good.filter((hits) => hits.has(node)).length
      const line = lineOf(file.text, node.start)
      const share = Math.max(ochiai(ef, ep, failing.length), ALONE * ochiai(1, ep, 1))
      const score = share * frames.boost(file, line, node) * likelihood.of(file, node)
      suspects.push({ file, node, score, line, failing: ef, passing: ep, tests })
    }
  }
  return withReaders(suspects).sort(
    (a, b) => b.score - a.score || a.file.index - b.file.index || a.node.start - b.node.start,
  )
}

export function ochiai(failingHits: number, passingHits: number, failing: number): number {
  const below = Math.sqrt(failing * (failingHits + passingHits))
  return below === 0 ? 0 : failingHits / below
}

export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** The project's own frames in the stacks of thrown errors; an assertion's stack names only the test. */
class Frames {
  readonly #lines = new Map<string, number>()

  constructor(project: Project, failing: readonly TestResult[]) {
    const files = new Map(project.files.map((file) => [file.absolute, file]))
    for (const test of failing) {
      let depth = 0
      for (const found of (test.failure?.stack ?? '').matchAll(
        /\(?(?:file:\/\/)?(\/[^\s()]+):(\d+):\d+\)?/g,
      )) {
        const file = files.get(found[1] ?? '')
        if (file === undefined || file.isTestCode) continue
        const boost = FRAME_BOOSTS[depth] ?? 1
        const key = `${file.index}:${found[2]}`
        this.#lines.set(key, Math.max(boost, this.#lines.get(key) ?? 1))
        depth += 1
      }
    }
  }

  boost(file: SourceFile, line: number, node: Node): number {
    let boost = this.#lines.get(`${file.index}:${line}`) ?? 1
    const last = lineOf(file.text, node.end)
    // A statement over several lines is named by any of them, a block with others inside is not.
    const isLeaf = node.kind !== 'if' && node.kind !== 'loop' && node.kind !== 'try' && node.kind !== 'switch'
    for (let at = line + 1; isLeaf && at <= last; at += 1) {
      boost = Math.max(boost, this.#lines.get(`${file.index}:${at}`) ?? 1)
    }
    return boost
  }
}
