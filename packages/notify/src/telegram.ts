// A message of a Telegram bot to one chat.
import { createHash } from 'node:crypto'
import { messageOf } from '@treadle/flow/fault'
import type { NoticeChannel, NoticeMessage, Sent } from '@treadle/flow/ports/notifications'
import { cut } from './plain-text.ts'

export interface TelegramOptions {
  readonly token: string
  readonly chatId: string
  readonly apiRoot: string
  readonly timeoutMs: number
}

/** The characters that one message may have, entities not counted. */
const TEXT_MAX = 4_096
const STEPS_MAX = 1_500
const TITLE_MAX = 400

const MARKS: Readonly<Record<NoticeMessage['level'], string>> = {
  info: 'ℹ️',
  warning: '⚠️',
  error: '❌',
  critical: '🚨',
}

export function openTelegram(options: TelegramOptions): NoticeChannel {
  const { token, chatId, apiRoot, timeoutMs } = options
  return {
    channel: 'telegram',
    target: createHash('sha256').update(`${apiRoot} ${chatId}`).digest('hex').slice(0, 16),
    send: async (message, signal) => {
      // Loaded when it is needed: most daemons send nothing over Telegram.
      const { Api } = await import('grammy')
      const timeoutSeconds = Math.max(1, Math.ceil(timeoutMs / 1_000))
      const api = new Api(token, {
        apiRoot: apiRoot.replace(/\/+$/, ''),
        timeoutSeconds,
        sensitiveLogs: false,
      })
      const abort = new AbortController()
      const stop = () => abort.abort()
      const timer = setTimeout(stop, timeoutMs)
      signal.addEventListener('abort', stop, { once: true })
      try {
        const ending = abort.signal as unknown as Parameters<typeof api.sendMessage>[3]
        await api.sendMessage(chatId, htmlOf(message), silent(message), ending)
        return { is: 'sent' }
      } catch (error) {
        return withoutToken(judge(error), token)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

function silent({ level, blocking }: NoticeMessage) {
  return {
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    disable_notification: level === 'info' && !blocking,
  } as const
}

/** Telegram takes a handful of tags; all else is text. Each part is cut before it is escaped, so no tag is halved. */
function htmlOf(message: NoticeMessage): string {
  const title = `${MARKS[message.level]} <b>${escapeHtml(cut(message.title, TITLE_MAX))}</b>`
  const steps: string[] = []
  let room = STEPS_MAX
  for (const { label, command } of message.nextSteps) {
    room -= label.length + (command?.length ?? 0) + 3
    if (room < 0) break
    const typed = command === null ? '' : `: <code>${escapeHtml(command)}</code>`
    steps.push(`• ${escapeHtml(label)}${typed}`)
  }
  const text = escapeHtml(cut(message.text, TEXT_MAX - TITLE_MAX - STEPS_MAX - 100))
  return [title, text, steps.join('\n')].filter((part) => part !== '').join('\n\n')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

interface TelegramError {
  readonly error_code?: unknown
  readonly description?: unknown
  readonly parameters?: { readonly retry_after?: unknown }
}

function judge(error: unknown): Sent {
  const { error_code: code, description, parameters } = error as TelegramError
  if (typeof code !== 'number') return { is: 'failed', why: `Telegram did not answer: ${messageOf(error)}` }
  const why = `Telegram answered ${code}: ${String(description)}`
  const seconds = Number(parameters?.retry_after ?? Number.NaN)
  if (code === 429) return { is: 'later', afterMs: (seconds > 0 ? seconds : 30) * 1_000, why }
  return code >= 500 ? { is: 'failed', why } : { is: 'refused', why }
}

/** Takes out the token, which is part of every address, and errors like to name those. */
function withoutToken(sent: Sent, token: string): Sent {
  return 'why' in sent ? { ...sent, why: sent.why.replaceAll(token, '[redacted]') } : sent
}
