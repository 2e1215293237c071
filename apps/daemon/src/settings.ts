// treadle.json as it is now: read at start and again whenever it changes.
import { readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type ConfigRead, readConfig } from '@treadle/contracts/config-read'

export interface Settings {
  current(): ConfigRead
  close(): void
}

export function openSettings(file: string, onChange: (read: ConfigRead) => void): Settings {
  let text = readText(file)
  let read = readConfig(text)
  const reload = () => {
    const next = readText(file)
    if (next === text) return
    text = next
    read = readConfig(next)
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

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
