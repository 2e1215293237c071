// The settings as they are now: read at start and again whenever one of their files changes.
import { existsSync, type FSWatcher, readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Config } from '@treadle/contracts/config'
import { type ConfigRead, readConfig } from '@treadle/contracts/config-read'

export interface Settings {
  current(): ConfigRead
  close(): void
}

export interface SettingsFiles {
  /** treadle.json. */
  readonly config: string
  /** .vscode/settings.json. */
  readonly vscode: string
}

export function openSettings(files: SettingsFiles, onChange: (read: ConfigRead) => void): Settings {
  let texts = readTexts(files)
  let read = readSettings(texts, Config.parse({}))
  const reload = () => {
    const next = readTexts(files)
    if (sameText(next.config, texts.config) && sameText(next.vscode, texts.vscode)) return
    texts = next
    read = readSettings(next, read.config)
    onChange(read)
  }
  const watchers = [files.config, files.vscode].flatMap((file) => watchFile(file, reload))
  // Covers file systems without events, and a folder that is made later.
  const timer = setInterval(reload, 1_500)
  timer.unref()
  return {
    current: () => read,
    close() {
      clearInterval(timer)
      for (const watcher of watchers) watcher.close()
    },
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

/** A file that is there and cannot be read changes nothing, and is no reason to end. */
function readSettings({ config, vscode }: Texts, inForce: Config): ConfigRead {
  if (config.is === 'unreadable') {
    return {
      config: inForce,
      warnings: [`treadle.json cannot be read (${config.why}): the settings in force stay`],
      errors: [],
    }
  }
  const read = readConfig({ own: config.text, vscode: vscode.is === 'text' ? vscode.text : null })
  if (vscode.is === 'text') return read
  const why = `.vscode/settings.json cannot be read (${vscode.why}): its settings are not used`
  return { ...read, warnings: [...read.warnings, why] }
}

function sameText(a: FileText, b: FileText): boolean {
  if (a.is === 'text') return b.is === 'text' && a.text === b.text
  return b.is === 'unreadable' && a.why === b.why
}
