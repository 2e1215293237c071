// treadle.json as it is now: read at start and again whenever it changes.
import { readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Config } from '@treadle/contracts/config'
import { type ConfigRead, readConfig } from '@treadle/contracts/config-read'

export interface Settings {
  current(): ConfigRead
  close(): void
}

export function openSettings(file: string, onChange: (read: ConfigRead) => void): Settings {
  let text = readText(file)
  let read = readSettings(text, Config.parse({}))
  const reload = () => {
    const next = readText(file)
    if (sameText(next, text)) return
    text = next
    read = readSettings(next, read.config)
    onChange(read)
  }
  // The folder is watched, not the file: editors replace files. The timer covers file systems without events.
  const watcher = watch(dirname(file), (_, name) => {
    if (name === null || name === basename(file)) reload()
  })
  watcher.on('error', reload)
  const timer = setInterval(reload, 1_500)
  timer.unref()
  return {
    current: () => read,
    close() {
      clearInterval(timer)
      watcher.close()
    },
  }
}

type FileText =
  | { readonly is: 'text'; readonly text: string | null }
  | { readonly is: 'unreadable'; readonly why: string }

function readText(file: string): FileText {
  try {
    return { is: 'text', text: readFileSync(file, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { is: 'text', text: null } : { is: 'unreadable', why: code ?? message }
  }
}

/** A file that is there and cannot be read changes nothing, and is no reason to end. */
function readSettings(given: FileText, inForce: Config): ConfigRead {
  if (given.is === 'text') return readConfig(given.text)
  return {
    config: inForce,
    warnings: [`treadle.json cannot be read (${given.why}): the settings in force stay`],
  }
}

function sameText(a: FileText, b: FileText): boolean {
  if (a.is === 'text') return b.is === 'text' && a.text === b.text
  return b.is === 'unreadable' && a.why === b.why
}
