// What a change newly brings into its files, and what follows: refused, or left to a reader.
import { posix } from 'node:path'
import type { Wait } from '@treadle/contracts/gate'
import type { Finding } from '../integrity/finding.ts'
import {
  asksAround,
  type Capabilities,
  type Capability,
  type CapabilityReading,
  type Rule,
} from './capability.ts'

export interface ReadChange {
  readonly path: string
  readonly isTest: boolean
  /** Null: the file was not there, or is gone. */
  readonly was: CapabilityReading | null
  readonly is: CapabilityReading | null
}

export interface Brought {
  readonly refused: readonly Finding[]
  readonly waits: readonly Wait[]
}

const NOTHING: Brought = { refused: [], waits: [] }

/** Rules by which a test may reach the others. */
const inTests: ReadonlySet<Rule> = new Set(['patch', 'exit', 'directive'])

export function diffCapabilities(changes: readonly ReadChange[]): Brought {
  const moved = lostIn(changes)
  const all = changes.map((change) => diffOne(change, moved))
  return { refused: all.flatMap(({ refused }) => refused), waits: all.flatMap(({ waits }) => waits) }
}

/** What sources had before and have no longer: it may stand in another file of the change now. */
function lostIn(changes: readonly ReadChange[]): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ isTest, was, is }) => {
      if (isTest || was?.is !== 'read' || is?.is === 'unreadable') return []
      const now = is === null ? null : is.capabilities
      return [...was.capabilities.keys()].filter((key) => !now?.has(key))
    }),
  )
}

function diffOne({ path, isTest, was, is }: ReadChange, moved: ReadonlySet<string>): Brought {
  if (is === null) return NOTHING
  if (is.is === 'unreadable' || was?.is === 'unreadable') {
    const why =
      is.is === 'unreadable' ? is.why : `before the change ${was?.is === 'unreadable' ? was.why : ''}`
    const words = `what it newly asks for cannot be told: ${why}`
    return isTest ? NOTHING : { refused: [], waits: [{ class: 'unreadable', file: path, line: null, words }] }
  }
  const fresh = [...is.capabilities].filter(([key]) => !was?.capabilities.has(key)).map(([, each]) => each)
  if (isTest) return { refused: [], waits: fresh.filter(reachesOthers).map((each) => waitFor(path, each)) }
  const asks = fresh.filter((each) => isAsking(each, is.capabilities))
  const rest = fresh.filter((each) => !asks.includes(each) && !moved.has(`${each.rule}: ${each.what}`))
  return {
    refused: asks.map(({ what, line }) => ({
      file: path,
      line,
      what: `it asks who runs it (${what}): code that knows its tests can please them alone`,
      blocks: true,
    })),
    waits: rest.map((each) => waitFor(path, each)),
  }
}

/** The variables of a runner, or its name where the file also looks at its arguments, path, stack or environment. */
function isAsking({ rule, what }: Capability, all: Capabilities): boolean {
  return (
    rule === 'asks for the runner' ||
    (rule === 'test runner' && what.startsWith('looks for ') && asksAround(all))
  )
}

/** Globals that tests stand in for, such as `fetch`, are no business of other files. */
function reachesOthers({ rule, what }: Capability): boolean {
  if (rule !== 'patch') return inTests.has(rule)
  return /^writes (Object|Array|String|Number|Boolean|Symbol|Promise|Map|Set|Error|JSON|Reflect|Function|assert|expect|chai)\b|^Object\.\w+ on|^hides /.test(
    what,
  )
}

function waitFor(file: string, { rule, what, line }: Capability): Wait {
  return { class: 'capability', file, line, words: `${rule}: ${what}` }
}

/** What a file of the tree hands on to one that newly imports it. */
export function handedOn(
  path: string,
  { through, had, has }: { through: string; had: Capabilities; has: Capabilities },
): Wait[] {
  const acts = [...has].filter(([key, { rule }]) => !had.has(key) && !quiet.has(rule)).map(([, each]) => each)
  return acts.map((each) => ({
    ...waitFor(path, { ...each, line: 1 }),
    line: null,
    words: `${each.rule}: ${each.what}, through ${posix.basename(through)}`,
  }))
}

/** How a file is written, and what it only prints, is no business of whoever imports it. */
const quiet: ReadonlySet<Rule> = new Set([
  'reflection',
  'protocol',
  'computed name',
  'output',
  'package',
  'timers',
  'directive',
  'test runner',
  'asks for the runner',
])
