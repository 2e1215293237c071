// Tells the owner: follows the feed, and keeps each channel going by itself, so that a slow one holds up no other.
import type { Config } from '@treadle/contracts/config'
import type { Cursor } from '@treadle/contracts/event'
import { NotificationChannel } from '@treadle/contracts/notification'
import type { ChannelTried } from '@treadle/contracts/routes/notifications'
import { messageOf } from '@treadle/flow/fault'
import type { Acknowledged, NoticeChannel, NoticeMessage } from '@treadle/flow/ports/notifications'
import {
  acknowledge,
  beginNotices,
  type NotifyWorld,
  releaseDeliveries,
  runDeliveries,
  runNotices,
} from '@treadle/flow/supervise/notify/notify.run'
import { makeRedactor } from '@treadle/gates/redact'
import { type Channels, openChannels } from '@treadle/notify/channels'
import type { OpenStore } from '@treadle/store/connect'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { WorkspaceIdentity } from '../crew/workspace-identity.ts'
import type { DaemonEnv } from '../env.ts'
import { Loop } from './notices-loop.ts'

export interface NoticesDeps {
  readonly store: OpenStore
  readonly config: () => Config
  readonly now: () => Date
  readonly clock: Clock
  readonly env: Pick<DaemonEnv, 'secret' | 'desktopEnv'>
  readonly workspace: Pick<WorkspaceIdentity, 'id' | 'shared'>
  readonly log: Logger
  readonly stopping: AbortSignal
}

/** Other daemons on the same database make notifications too, and a bell may be lost. */
const LOOK_MS = 30_000
/** However fast events come, the feed is looked at once in this time. */
const REST_MS = 200

const TEST: Omit<NoticeMessage, 'id'> = {
  level: 'info',
  blocking: false,
  title: 'Treadle can reach you here',
  text: 'This is a test. Nothing has happened.',
  nextSteps: [{ label: 'See what you were told', command: 'treadle notifications' }],
  notifications: [],
}

export class Notices {
  readonly deps: NoticesDeps
  readonly #world: NotifyWorld
  readonly #feed: Loop
  readonly #said = new Map<NotificationChannel, string>()
  #channels: Channels
  #settings: string
  #loops: Loop[] = []
  #cursor: Cursor | null = null
  #unlisten: () => void = () => undefined

  constructor(deps: NoticesDeps) {
    this.deps = deps
    this.#channels = this.#open()
    this.#settings = JSON.stringify(deps.config().notifications)
    this.#world = {
      ...deps,
      redact: (text) => redacted(text, this.#secrets()),
      onBug: (error, { id, event }) =>
        deps.log.error({ err: error, event: id, type: event.type }, 'an event could not be told'),
      isNews: (channel, why) => {
        const isNews = this.#said.get(channel) !== why
        this.#said.set(channel, why)
        if (isNews) deps.log.warn({ channel, why }, 'a notification could not be delivered')
        return isNews
      },
    }
    this.#feed = new Loop({ restMs: REST_MS, lookMs: LOOK_MS, clock: deps.clock, log: deps.log }, () =>
      this.#read(),
    )
  }

  /** Before anything is recorded of which the owner is to be told. */
  async begin(): Promise<void> {
    this.#cursor = await beginNotices(this.#world)
    if (this.deps.workspace.shared) return
    for (const opened of Object.values(this.#channels))
      if (opened.is === 'on') await releaseDeliveries(this.#world, opened.channel)
  }

  start(): void {
    this.#startChannels()
    this.#unlisten = this.deps.store.listen(() => this.#feed.wake())
    this.#feed.wake()
  }

  /** The settings have changed. */
  reload(): void {
    const wanted = JSON.stringify(this.deps.config().notifications)
    if (wanted === this.#settings) return
    this.#settings = wanted
    this.#said.clear()
    this.#channels = this.#open()
    for (const loop of this.#loops) void loop.close()
    this.#startChannels()
  }

  /** Something was told without an event: whoever sends it need not wait for the next look. */
  wake(): void {
    for (const loop of this.#loops) loop.wake()
  }

  redact(text: string): string {
    return this.#world.redact(text)
  }

  acknowledge(which: Acknowledged, by: string): Promise<number[]> {
    return acknowledge(this.#world, which, by)
  }

  /** Sends a message that is in no table, and says what became of it. */
  async test(only: NotificationChannel | null): Promise<ChannelTried[]> {
    const wanted = NotificationChannel.options.filter(
      (name) => only === name || (only === null && this.#channels[name].is === 'on'),
    )
    return Promise.all(wanted.map((name) => this.#try(name)))
  }

  async close(): Promise<void> {
    this.#unlisten()
    await Promise.all([this.#feed.close(), ...this.#loops.map((loop) => loop.close())])
  }

  async #try(name: NotificationChannel): Promise<ChannelTried> {
    const opened = this.#channels[name]
    if (opened.is === 'off') return { channel: name, is: 'off', why: opened.why }
    const id = `test-${this.deps.now().getTime()}`
    const sent = await opened.channel
      .send({ id, ...TEST }, this.deps.stopping)
      .catch((error: unknown) => ({ is: 'failed', why: messageOf(error) }) as const)
    return sent.is === 'sent'
      ? { channel: name, is: 'sent', why: null }
      : { channel: name, is: 'failed', why: this.#world.redact(sent.why) }
  }

  async #read(): Promise<Date | null> {
    const from = this.#cursor ?? (await beginNotices(this.#world))
    const { cursor, made } = await runNotices(this.#world, from)
    this.#cursor = cursor
    if (made > 0) this.wake()
    return null
  }

  #startChannels(): void {
    const { log, clock } = this.deps
    this.#loops = NotificationChannel.options.flatMap((name) => {
      const opened = this.#channels[name]
      if (opened.is === 'on')
        return [new Loop({ restMs: 0, lookMs: LOOK_MS, clock, log }, () => this.#deliver(opened.channel))]
      if (this.deps.config().notifications[name].enabled)
        log.warn({ channel: name, why: opened.why }, 'notifications cannot be sent over a channel that is on')
      return []
    })
    for (const loop of this.#loops) loop.wake()
  }

  async #deliver(channel: NoticeChannel): Promise<Date | null> {
    const { sent, wakeAt } = await runDeliveries(this.#world, channel)
    if (sent > 0) this.#said.delete(channel.channel)
    return wakeAt
  }

  #open(): Channels {
    const { config, env, workspace, now } = this.deps
    const settings = config().notifications
    const { secret, desktopEnv } = env
    return openChannels({
      settings,
      secret,
      desktopEnv,
      place: workspace.id,
      now,
      platform: process.platform,
    })
  }

  #secrets(): string[] {
    const { webhook, telegram } = this.deps.config().notifications
    const names = [webhook.secretVariable, webhook.urlVariable, telegram.tokenVariable]
    return names.flatMap((name) => (name === null ? [] : (this.deps.env.secret(name) ?? [])))
  }
}

/** The redactor reads bytes, one character each. */
function redacted(text: string, secrets: readonly string[]): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return Buffer.from(makeRedactor(secrets).redact(bytes), 'latin1').toString('utf8')
}
