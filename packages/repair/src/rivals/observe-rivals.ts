// What each patch makes of the probes, each in a process of its own, confined as candidates are.
import type { Scratch } from '../confined.ts'
import type { Edit } from '../edits/edit.ts'
import { applyChanges, changesByFile } from '../edits/patch.ts'
import { loadProject, type OtherTexts } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { observeEdited } from '../search/baseline.ts'
import { OPAQUE, type Probe, probing, SEEN } from './probes.ts'

export type Outcome =
  /** Written out as in a source. */
  | { readonly is: 'value'; readonly text: string }
  /** To be compared, but not to be written. */
  | { readonly is: 'opaque'; readonly text: string }
  | { readonly is: 'threw'; readonly text: string }
  | { readonly is: 'none' }

export interface Observing {
  readonly cwd: string
  readonly command: string | null
  readonly texts: OtherTexts
  readonly scratch: Scratch
  readonly probes: readonly Probe[]
  readonly signal: AbortSignal | undefined
}

const NONE: Outcome = { is: 'none' }
const THROWN_MAX = 200

/** One outcome for each probe, in order. No edits: the program as it is. */
export async function observeProbes(observing: Observing, edits: readonly Edit[]): Promise<Outcome[]> {
  const { cwd, command, probes, scratch, signal } = observing
  const texts = new Map(observing.texts)
  for (const [path, own] of Map.groupBy(probes, (probe) => probe.path))
    texts.set(path, probing(observing.texts.get(path) ?? '', own))
  for (const [path, { text, changes }] of changesByFile(edits)) texts.set(path, applyChanges(text, changes))
  const project = loadProject(cwd, command, texts)
  const paths = new Set(probes.map(({ path }) => path))
  const tests = project.tests.filter((index) => paths.has(project.files[index]?.path ?? ''))
  if (tests.length === 0) return probes.map(() => NONE)
  const told = await observeEdited({ ...project, tests }, scratch, [], signal)
  const byName = new Map(told?.map((test) => [test.name.split(' > ').at(-1) ?? '', test]))
  return probes.map(({ name }) => outcomeOf(byName.get(name)))
}

function outcomeOf(test: TestResult | undefined): Outcome {
  if (test === undefined || test.failure === null) return NONE
  const { name, message, expected, actual } = test.failure
  const seen = message.indexOf(SEEN)
  if (seen >= 0) return { is: 'value', text: message.slice(seen + SEEN.length) }
  const opaque = message.indexOf(OPAQUE)
  if (opaque >= 0) return { is: 'opaque', text: message.slice(opaque + OPAQUE.length) }
  // An assertion that stands elsewhere expects what belongs to the other input.
  if (expected !== null || actual !== null || /Assertion|OutOfFuel|Hung/.test(name)) return NONE
  return { is: 'threw', text: `${name}: ${message}`.split('\n', 1)[0]?.slice(0, THROWN_MAX) ?? name }
}
