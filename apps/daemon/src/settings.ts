// The settings as they are now: read at start and again whenever one of their files changes.
import { existsSync, type FSWatcher, readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type ConfigRead, isWellFormed, readConfig } from '@treadle/contracts/config/read'
import type { PhaseFlag } from '@treadle/contracts/order'
import { readRolledBack, writeRolledBack } from './rolled-back.ts'

export interface Settings {
  current(): ConfigRead
  close(): void
}

export interface SettingsFiles {
  /** treadle.json. */
  readonly config: string
  /** .vscode/settings.json. */
  readonly vscode: string
  readonly rolledBack: string
}

/** Files are often emptied first and written then; what is seen in between is no change. */
const SETTLE_MS = 150

export function openSettings(files: SettingsFiles, onChange: (read: ConfigRead) => void): Settings {
  let texts = readTexts(files)
  let good = goodOf(texts, null)
  let read = takeIn(files, { texts, good })
  const reload = () => {
    const next = readTexts(files)
    if (sameText(next.config, texts.config) && sameText(next.vscode, texts.vscode)) return
    texts = next
    good = goodOf(next, good)
    read = takeIn(files, { texts: next, good })
    onChange(read)
  }
  let settling: NodeJS.Timeout | null = null
  const soon = () => {
    if (settling !== null) clearTimeout(settling)
    settling = setTimeout(reload, SETTLE_MS)
    settling.unref()
  }
  const watchers = [files.config, files.vscode].flatMap((file) => watchFile(file, soon))
  // Covers file systems without events, and a folder that is made later.
  const timer = setInterval(soon, 1_500)
  timer.unref()
  return {
    current: () => read,
    close() {
      clearInterval(timer)
      if (settling !== null) clearTimeout(settling)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** What each file said when it could last be read; null: it never could, or is not there. */
interface Good {
  readonly config: string | null
  readonly vscode: string | null
}

/** A file that is damaged while the crew is at work changes nothing: defaults would be another engine, another budget. */
function goodOf(texts: Texts, before: Good | null): Good {
  const last = (text: FileText, file: 'own' | 'vscode', known: string | null) =>
    text.is === 'text' && (text.text === null || isWellFormed(text.text, file)) ? text.text : known
  return {
    config: last(texts.config, 'own', before?.config ?? null),
    vscode: last(texts.vscode, 'vscode', before?.vscode ?? null),
  }
}

/** The folder is watched, not the file: editors replace files. */
function watchFile(file: string, reload: () => void): FSWatcher[] {
  if (!existsSync(dirname(file))) return []
  const watcher = watch(dirname(file), (_, name) => {
    if (name === null || name === basename(file)) reload()
  })
  watcher.on('error', reload)
  return [watcher]
}

type FileText =
  | { readonly is: 'text'; readonly text: string | null }
  | { readonly is: 'unreadable'; readonly why: string }

interface Texts {
  readonly config: FileText
  readonly vscode: FileText
}

function readTexts({ config, vscode }: SettingsFiles): Texts {
  return { config: readText(config), vscode: readText(vscode) }
}

function readText(file: string): FileText {
  try {
    return { is: 'text', text: readFileSync(file, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const absent = code === 'ENOENT' || code === 'ENOTDIR'
    return absent ? { is: 'text', text: null } : { is: 'unreadable', why: code ?? message }
  }
}

interface SettingsSnapshot {
  readonly texts: Texts
  readonly good: Good
}

/** What a person has turned on again is no longer noted as rolled back. */
function takeIn({ rolledBack }: SettingsFiles, seen: SettingsSnapshot): ConfigRead {
  const off = readRolledBack(rolledBack)
  const read = readSettings(seen, off)
  const still = off.filter((flag) => read.config.flags[flag] !== true)
  if (still.length < off.length) writeRolledBack(rolledBack, still)
  return read
}

/** A file that was sound before stays in force as it was; one that never was gives way to the defaults. */
function readSettings({ texts, good }: SettingsSnapshot, off: readonly PhaseFlag[]): ConfigRead {
  const used = (text: FileText, known: string | null) => known ?? (text.is === 'text' ? text.text : null)
  const read = readConfig({
    own: used(texts.config, good.config),
    vscode: used(texts.vscode, good.vscode),
    off,
  })
  const notices = [
    ...noticeOf('treadle.json', texts.config, good.config),
    ...noticeOf('.vscode/settings.json', texts.vscode, good.vscode),
  ]
  return { ...read, warnings: [...notices, ...read.warnings] }
}

function noticeOf(name: string, text: FileText, known: string | null): string[] {
  const instead = known === null ? 'its settings are not used' : 'what it said before stays in force'
  if (text.is === 'unreadable') return [`${name} cannot be read (${text.why}): ${instead}`]
  // Without an earlier text the reader of the settings says it itself.
  return known !== null && text.text !== known ? [`${name} is not a JSON object: ${instead}`] : []
}

function sameText(a: FileText, b: FileText): boolean {
  if (a.is === 'text') return b.is === 'text' && a.text === b.text
  return b.is === 'unreadable' && a.why === b.why
}
