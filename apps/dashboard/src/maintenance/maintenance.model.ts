// Orders, orphans, kept work and settings in words.
import type { Config } from '@treadle/contracts/config'
import { itemLabel } from '@treadle/contracts/ids'
import { type AuditEntry, type KeptWork, PHASE_FLAGS, type RolloutPhase } from '@treadle/contracts/order'
import type { Orphan } from '@treadle/contracts/orphan'
import type { ChannelTried } from '@treadle/contracts/routes/notifications'
import type { Tone } from '@treadle/contracts/words/state'
import { isAfter } from '../live/live.model.ts'
import { statusWords } from '../parts/agents.model.ts'
import type { FormRead } from '../parts/form.model.ts'

export interface PhaseFacts {
  readonly phase: RolloutPhase
  readonly words: string
  readonly flag: string
  readonly isOff: boolean
}

const PHASE_WORDS: Record<RolloutPhase, string> = {
  2: 'Several agents at once',
  3: 'The review agent',
  4: 'Ideation',
  5: 'Advanced monitoring',
}

/** The phases that can be turned off, in their order. */
export function phasesOf({ flags }: Pick<Config, 'flags'>): PhaseFacts[] {
  const phases: readonly RolloutPhase[] = [2, 3, 4, 5]
  return phases.map((phase) => ({
    phase,
    words: PHASE_WORDS[phase],
    flag: PHASE_FLAGS[phase],
    isOff: flags[PHASE_FLAGS[phase]] === false,
  }))
}

/** Audit entries newest first, each order once; of two versions of one the later read counts. */
export function mergeAudit(known: readonly AuditEntry[], read: readonly AuditEntry[]): AuditEntry[] {
  const byId = new Map([...known, ...read].map((entry) => [entry.id, entry]))
  return [...byId.values()].toSorted((a, b) => (isAfter(a.cursor, b.cursor) ? -1 : 1))
}

const OUTCOME_TONE: Readonly<Record<AuditEntry['is'], Tone>> = {
  failed: 'bad',
  begun: 'attention',
  done: 'plain',
}

export function outcomeTone({ is }: Pick<AuditEntry, 'is'>): Tone {
  return OUTCOME_TONE[is]
}

export function orderWords(order: string): string {
  return order.replaceAll('_', ' ')
}

/** An orphan's remains as short facts. */
export function orphanFacts({ process, session, item, problem }: Orphan): string[] {
  return [
    process === null ? 'no process' : `process ${process.pid} still runs`,
    ...(session === null ? [] : [`last status: ${statusWords(session.status).toLowerCase()}`]),
    ...(item === null ? [] : [`holds ${itemLabel(item)}`]),
    ...(problem === null ? [] : [`its session file cannot be read: ${problem}`]),
  ]
}

/** False if nothing is left that the agent could go on from. */
export function isRecoverable({ process, session }: Pick<Orphan, 'process' | 'session'>): boolean {
  return process !== null || session !== null
}

const KIND_WORDS: Record<KeptWork['kind'], string> = {
  checkpoint: 'checkpoint',
  last: 'as it was last',
  given_up: 'given up',
  found: 'found in a worktree',
  other: 'kept',
}

export function keptWords({ kind }: Pick<KeptWork, 'kind'>): string {
  return KIND_WORDS[kind]
}

export function keptFiles({ files, fileCount }: Pick<KeptWork, 'files' | 'fileCount'>): string {
  if (fileCount === 0) return 'changes nothing'
  const shown = files.slice(0, 2).join(', ')
  return fileCount > 2 ? `${shown} and ${fileCount - 2} more` : shown
}

export function shortRef(ref: string): string {
  return ref.replace(/^refs\/treadle\//, '')
}

export interface TypedRestore {
  readonly branch: string
  readonly worktree: string
}
export interface RestoreTarget {
  readonly branch?: string
  readonly worktree?: string
}

/** An empty field is left to the daemon; a folder is named from the root on, since the page has no folder of its own. */
export function readRestore({ branch, worktree }: TypedRestore): FormRead<RestoreTarget> {
  const [name, folder] = [branch.trim(), worktree.trim()]
  if (/\s/.test(name)) return { is: 'wrong', why: 'A branch has no spaces in its name.' }
  if (folder !== '' && !/^(\/|[A-Za-z]:[\\/])/.test(folder))
    return { is: 'wrong', why: 'Name the folder from the root on, for example /tmp/look-at-it.' }
  const value = {
    ...(name === '' ? {} : { branch: name }),
    ...(folder === '' ? {} : { worktree: folder }),
  }
  return { is: 'ready', value }
}

export interface Setting {
  readonly name: string
  readonly value: string
  /** True if the value is not the default. */
  readonly isSet: boolean
}

/** Every setting in force, one per line. */
export function settingsOf(config: Config, defaults: Config): Setting[] {
  const before = new Map(leaves(defaults, ''))
  return leaves(config, '').map(([name, value]) => ({ name, value, isSet: before.get(name) !== value }))
}

function leaves(value: unknown, name: string): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, shown(value)]]
  const entries = Object.entries(value).filter(([key, each]) => key !== '$schema' && each !== undefined)
  if (entries.length === 0 && name !== '') return [[name, 'nothing set']]
  return entries.flatMap(([key, each]) => leaves(each, name === '' ? key : `${name}.${key}`))
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ')
  return value === null ? 'not set' : String(value)
}

export function matching(settings: readonly Setting[], text: string, onlySet: boolean): Setting[] {
  const wanted = text.trim().toLowerCase()
  return settings.filter(
    ({ name, value, isSet }) =>
      (isSet || !onlySet) && (name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted)),
  )
}

/** The fate of a message that was sent to try a channel. */
export function channelWords({ channel, is, why }: ChannelTried): string {
  if (is === 'sent') return `${channel}: sent`
  return `${channel}: ${is === 'off' ? 'off' : 'failed'}${why === null ? '' : `, ${why}`}`
}
