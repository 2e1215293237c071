// The configuration that Treadle's own git commands go by. Whoever works in a worktree can write into the repository's
// git directory, and much of what stands there names a program: filters, drivers, helpers, hooks. So our commands are
// given a folder in place of the shared git directory: objects and references are links to the real ones, and the
// configuration is a copy of the settings that are plain data. What the user has set for the whole account still holds.
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault, messageOf } from '@treadle/flow/fault'
import { type ConfigEntry, carriedOver, renderConfig } from './config-entries.ts'

/** Reads one file of git's configuration, without what it includes; nothing is there if there is no such file. */
export type ReadConfig = (file: string) => Promise<readonly ConfigEntry[]>

/** The name of the folder inside the shared git directory. */
export const OWN_COMMON_DIR = 'treadle-git'

// Folders that git keeps in the shared directory and we need. Hooks, attributes and old lists of remotes are not
// among them.
const folders = ['objects', 'refs', 'logs', 'worktrees'] as const
const files = ['HEAD', 'packed-refs', 'shallow'] as const

/** A folder to be named as GIT_COMMON_DIR, brought up to date by each call of `current`. */
export interface OwnConfig {
  current(): Promise<string>
}

export function openOwnConfig(commonDir: string, readConfig: ReadConfig): OwnConfig {
  let place: string | null = null
  let read = { state: '', text: '' }
  return {
    current: async () => {
      const state = sources(commonDir).map(stateOf).join(' ')
      if (state !== read.state) read = { state, text: await carried(commonDir, readConfig) }
      place ??= choosePlace(commonDir)
      try {
        bringUpToDate(place, { commonDir, text: read.text })
      } catch (error) {
        const hint = 'Is the disk full, or the folder not writable?'
        throw new Fault('git', `${place} could not be prepared: ${messageOf(error)}`, { hint, cause: error })
      }
      return place
    },
  }
}

// The second is read only by an extension that we leave off; sparse checkouts have their settings there.
const sources = (commonDir: string): string[] => [
  join(commonDir, 'config'),
  join(commonDir, 'config.worktree'),
]

/** The state of a file: it differs after every write, for one of its times cannot be set by hand. */
function stateOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : 'none'
}

async function carried(commonDir: string, readConfig: ReadConfig): Promise<string> {
  const [shared = '', ofMain = ''] = sources(commonDir)
  const entries = [
    ...(await readConfig(shared)).filter(carriedOver),
    ...(await readConfig(ofMain)).filter(({ key }) => key.startsWith('core.sparsecheckout')),
    // Large files are kept beside the real directory, by whoever runs git-lfs.
    { key: 'lfs.storage', value: join(commonDir, 'lfs') },
  ]
  return renderConfig(entries)
}

/** Inside the git directory, or in a folder of this process's own where that cannot be written. */
function choosePlace(commonDir: string): string {
  const usual = join(commonDir, OWN_COMMON_DIR)
  try {
    mkdirSync(usual, { recursive: true })
    const probe = join(usual, `probe-${randomUUID()}`)
    writeFileSync(probe, '')
    rmSync(probe)
    return usual
  } catch {
    const own = mkdtempSync(join(tmpdir(), 'treadle-git-config-'))
    process.once('exit', () => rmSync(own, { recursive: true, force: true }))
    return own
  }
}

function bringUpToDate(place: string, { commonDir, text }: { commonDir: string; text: string }): void {
  // Git itself removes an empty folder of worktrees, and a link to nowhere could not be filled.
  for (const name of folders) mkdirSync(join(commonDir, name), { recursive: true })
  mkdirSync(join(place, 'info'), { recursive: true })
  const known = readdirSync(commonDir).includes('reftable')
    ? [...folders, ...files, 'reftable']
    : [...folders, ...files]
  for (const name of known) link(join(commonDir, name), join(place, name))
  link(join(commonDir, 'info', 'exclude'), join(place, 'info', 'exclude'))
  dropOthers(place, new Set([...known, 'info', 'config']))
  dropOthers(join(place, 'info'), new Set(['exclude']))
  if (textOf(join(place, 'config')) !== text) replace(join(place, 'config'), text)
}

function link(target: string, path: string): void {
  try {
    if (readlinkSync(path) === target) return
  } catch {
    // Nothing is there yet, or something that is no link.
  }
  try {
    rmSync(path, { recursive: true, force: true })
    symlinkSync(target, path)
  } catch (error) {
    // Another process of ours makes the same folder at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const draftMark = 'config.treadle-'
const draftMsMax = 60_000

/** Removes what somebody has put beside what we made; a draft of another process is left for a minute. */
function dropOthers(folder: string, known: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (known.has(name) || name.endsWith('.lock') || name.startsWith('probe-')) continue
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (name.startsWith(draftMark) && age < draftMsMax) continue
    rmSync(path, { recursive: true, force: true })
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function replace(file: string, text: string): void {
  const draft = `${file}.treadle-${randomUUID()}`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
