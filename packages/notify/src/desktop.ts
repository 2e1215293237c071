// A notification of the desktop, by the program that the system has for it. Texts are arguments, never a shell's words.
import { spawn } from 'node:child_process'
import type { NoticeChannel, NoticeMessage, Sent } from '@treadle/flow/ports/notifications'
import { cut, stepLines } from './plain-text.ts'

export interface DesktopOptions {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string>>
  /** Which machine and workspace: each shows it on its own desktop. */
  readonly place: string
  readonly timeoutMs?: number
}

interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const TITLE_MAX = 120
const TEXT_MAX = 600
const STEPS_MAX = 3
const TIMEOUT_MS = 10_000
const ERROR_MAX = 300

export function openDesktop({ platform, env, place, timeoutMs = TIMEOUT_MS }: DesktopOptions): NoticeChannel {
  return {
    channel: 'desktop',
    target: place,
    send: (message, signal) => {
      const program = desktopProgram(platform, message)
      return start(
        program,
        { ...env, ...program.env },
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      )
    },
  }
}

export function desktopProgram(platform: NodeJS.Platform, message: NoticeMessage): Program {
  const title = cut(message.title, TITLE_MAX)
  const steps = stepLines(message).slice(0, STEPS_MAX)
  const text = cut([message.text, ...steps].filter((part) => part !== '').join('\n'), TEXT_MAX)
  if (platform === 'darwin') return { file: 'osascript', args: [...OSASCRIPT, title, text] }
  if (platform === 'win32')
    return {
      file: 'powershell.exe',
      args: ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL],
      env: { TREADLE_NOTICE_TITLE: title, TREADLE_NOTICE_TEXT: text },
    }
  // What begins with a dash is no option after this; the text may hold tags, which it is not to.
  const shown = [`--urgency=${urgencyOf(message)}`, '--app-name=Treadle', '--', title, escapeMarkup(text)]
  return { file: 'notify-send', args: shown }
}

const OSASCRIPT = [
  '-e',
  'on run argv',
  '-e',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  '-e',
  'end run',
]

const POWERSHELL = [
  'Add-Type -AssemblyName System.Windows.Forms, System.Drawing',
  '$icon = New-Object System.Windows.Forms.NotifyIcon',
  '$icon.Icon = [System.Drawing.SystemIcons]::Information',
  '$icon.Visible = $true',
  '$icon.ShowBalloonTip(8000, $env:TREADLE_NOTICE_TITLE, "$env:TREADLE_NOTICE_TEXT ", "Info")',
  'Start-Sleep -Seconds 8',
  '$icon.Dispose()',
].join('; ')

function urgencyOf({ level, blocking }: NoticeMessage): string {
  if (level === 'critical' || blocking) return 'critical'
  return level === 'info' ? 'low' : 'normal'
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function start(
  { file, args }: Program,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((done) => {
    const child = spawn(file, args, {
      env,
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
      killSignal: 'SIGKILL',
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, ERROR_MAX)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') done({ is: 'refused', why: `${file} is not installed` })
      else if (error.name === 'AbortError') done({ is: 'failed', why: `${file} did not end` })
      else done({ is: 'failed', why: `${file}: ${error.message}` })
    })
    child.once('close', (code) => {
      if (code === 0) done({ is: 'sent' })
      else done({ is: 'failed', why: `${file} ended with ${code}: ${said.trim() || 'it said nothing'}` })
    })
  })
}
