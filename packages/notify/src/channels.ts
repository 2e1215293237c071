// The channels that the settings turn on, and what is missing for those that cannot be.
import type { NotificationsConfig } from '@treadle/contracts/config/notifications'
import type { NotificationChannel } from '@treadle/contracts/notification'
import type { NoticeChannel } from '@treadle/flow/ports/notifications'
import { openDesktop } from './desktop.ts'
import { openTelegram } from './telegram.ts'
import { openWebhook } from './webhook.ts'

export interface ChannelsOptions {
  readonly settings: NotificationsConfig
  /** From the environment; null: it is not set. */
  readonly secret: (variable: string) => string | null
  readonly platform: NodeJS.Platform
  readonly desktopEnv: Readonly<Record<string, string>>
  readonly place: string
  readonly now: () => Date
}

type ChannelOpened =
  | { readonly is: 'on'; readonly channel: NoticeChannel }
  | { readonly is: 'off'; readonly why: string }

export type Channels = Readonly<Record<NotificationChannel, ChannelOpened>>

const TURNED_OFF: ChannelOpened = { is: 'off', why: 'it is not turned on in treadle.json' }

export function openChannels(options: ChannelsOptions): Channels {
  const { settings, platform, desktopEnv, place } = options
  return {
    desktop: settings.desktop.enabled
      ? { is: 'on', channel: openDesktop({ platform, env: desktopEnv, place }) }
      : TURNED_OFF,
    webhook: settings.webhook.enabled ? webhookOf(options) : TURNED_OFF,
    telegram: settings.telegram.enabled ? telegramOf(options) : TURNED_OFF,
  }
}

function webhookOf({ settings, secret, now }: ChannelsOptions): ChannelOpened {
  const { url, urlVariable, secretVariable, timeoutMs } = settings.webhook
  const address = urlVariable === null ? url : secret(urlVariable)
  if (address === null)
    return {
      is: 'off',
      why: urlVariable === null ? 'notifications.webhook.url is not set' : `${urlVariable} is not set`,
    }
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    return { is: 'off', why: `${urlVariable ?? 'notifications.webhook.url'} is not an address of the web` }
  return { is: 'on', channel: openWebhook({ url: address, secret: secret(secretVariable), timeoutMs, now }) }
}

function telegramOf({ settings, secret }: ChannelsOptions): ChannelOpened {
  const { chatId, tokenVariable, apiRoot, timeoutMs } = settings.telegram
  const token = secret(tokenVariable)
  if (chatId === null) return { is: 'off', why: 'notifications.telegram.chatId is not set' }
  if (token === null) return { is: 'off', why: `${tokenVariable} is not set` }
  return { is: 'on', channel: openTelegram({ token, chatId, apiRoot, timeoutMs }) }
}
