// Commands about notifications: what the owner was told, over which channels, and whether these work.
import type { Client } from '@treadle/contracts/client'
import {
  type Delivery,
  type NextStep,
  type Notification,
  NotificationChannel,
} from '@treadle/contracts/notification'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { Argument, InvalidArgumentError } from 'commander'
import { callerName } from '../caller-name.ts'
import { clip, paint, print, printJson } from '../output.ts'
import { json, type Program, refuseMore, withClient } from '../program.ts'
import { flowed } from '../terminal/columns.ts'

interface Json {
  readonly json?: boolean
}

export function notificationCommands(program: Program): void {
  const notifications = program.root.command('notifications')
  notifications
    .command('list', { isDefault: true })
    .description('notifications, newest first, with what to do about each')
    .option('--all', 'also those that were acknowledged, or are over')
    .option('--alerts', 'only the alert log: how the crew and the system are')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listNotifications(client, options))
    })
  const ack = notifications
    .command('ack')
    .description('say that you have seen one, or all: what is still to be sent of it is not sent')
    .argument('[id]', 'its number', asId)
    .option('--all', 'every one')
    .addOption(json())
    .action((id, options) => {
      if (id === undefined && !options.all) ack.error("error: missing required argument 'id', or --all")
      if (id !== undefined && options.all) ack.error('error: say which one, or --all, not both')
      return withClient(program, (client) => acknowledge(client, id ?? null, options))
    })
  notifications
    .command('test')
    .description('send a test message over one channel, or over each that is on')
    .addArgument(new Argument('[channel]', 'which').choices(NotificationChannel.options))
    .addOption(json())
    .action((channel, options) =>
      withClient(program, async (client) => {
        program.exitCode = await test(client, channel ?? null, options)
      }),
    )
}

const asId = (text: string): number => {
  const value = Number(text.replace(/^#/, ''))
  if (!/^#?\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('must be the number of a notification, such as 3.')
  return value
}

async function listNotifications(
  client: Client,
  options: Json & { all?: boolean; alerts?: boolean },
): Promise<void> {
  const { items } = await client.listNotifications({
    query: { all: options.all ? 'true' : 'false', alerts: options.alerts ? 'true' : 'false' },
  })
  if (options.json) return printJson(items)
  if (items.length === 0) return print(options.all ? 'No notifications yet.' : 'No new notifications.')
  print(items.map((item) => notificationText(item, Date.now())).join('\n\n'))
  const open = items.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  if (open.length > 0) print(paint('dim', '\nSeen them? treadle notifications ack <number>, or --all'))
}

const COLOURS = { info: 'cyan', warning: 'yellow', error: 'red', critical: 'red' } as const
const TEXT_MAX = 400
const UNSEEN_MAX = 3
const TITLE_MAX = 100
const LEVEL_COLUMNS = 'critical'.length

function notificationText(notification: Notification, now: number): string {
  const { id, level, title, text, count, blocking, acknowledgedAt } = notification
  const facts = [
    timeAgo(notification.updatedAt, now),
    ...(count > 1 ? [`${count} times`] : []),
    ...outcomeWords(notification),
    ...notification.deliveries.map(deliveryWords),
  ]
  return [
    `${paint('dim', String(id).padStart(4))}  ${paint(COLOURS[level], blocking ? `${level}, blocking` : level)}  ${paint('bold', title)}`,
    ...(text === '' ? [] : [flowed(`      ${clip(text, TEXT_MAX)}`)]),
    ...(acknowledgedAt === null ? stepLines(notification.nextSteps) : []),
    paint('dim', `      ${facts.join(' · ')}`),
  ].join('\n')
}

/** The end of a notification in words: over by itself, seen by somebody, or both. */
function outcomeWords({ updatedAt, resolvedAt, acknowledgedAt, acknowledgedBy }: Notification): string[] {
  const over = resolvedAt === null ? [] : [`over after ${lasted(updatedAt, resolvedAt)}`]
  const seen = acknowledgedAt !== null && (over.length === 0 || acknowledgedBy !== 'treadle')
  return [...over, ...(seen ? [`seen by ${acknowledgedBy}`] : [])]
}

function lasted(from: string, to: string): string {
  return duration(Math.max(0, Date.parse(to) - Date.parse(from)))
}

/** Lines at the end of `treadle status`: unseen notifications, the newest first, and where to see all. */
export function unseenLines(unseen: readonly Notification[]): string[] {
  if (unseen.length === 0) return []
  const many = `${unseen.length} ${unseen.length === 1 ? 'notification' : 'notifications'}`
  return [
    `\n${many} you have not seen. What to do about each: ${paint('cyan', 'treadle notifications')}`,
    ...unseen
      .slice(0, UNSEEN_MAX)
      .map(
        ({ level, title }) =>
          `  ${paint(COLOURS[level], level.padEnd(LEVEL_COLUMNS))}  ${clip(title, TITLE_MAX)}`,
      ),
  ]
}

/** Next steps as lines, also shown while `treadle up` stays. */
export function stepLines(steps: readonly NextStep[]): string[] {
  return steps.map(({ label, command }) =>
    flowed(command === null ? `      ${label}` : `      ${label}: ${paint('cyan', command)}`),
  )
}

function deliveryWords({ channel, status, error }: Delivery): string {
  if (status === 'failed') return paint('red', `${channel} failed: ${error ?? 'no reason was given'}`)
  if (status === 'waiting') return `${channel} waits${error === null ? '' : ` after: ${error}`}`
  return `${channel} ${status === 'dropped' ? 'not sent, you had seen it' : status}`
}

async function acknowledge(client: Client, id: number | null, options: Json): Promise<void> {
  const body = { by: callerName() }
  const { ids } =
    id === null
      ? await client.acknowledgeNotifications({ body })
      : await client.acknowledgeNotification({ params: { id }, body })
  if (options.json) return printJson({ ids })
  if (ids.length === 0)
    print(id === null ? 'Nothing was left to acknowledge.' : `${id} was acknowledged before.`)
  else print(`Acknowledged: ${ids.join(', ')}`)
}

/** The exit code: 1 where a channel did not take the message, or none is on. */
async function test(client: Client, channel: NotificationChannel | null, options: Json): Promise<number> {
  const { items } = await client.testNotifications({ body: { channel } })
  const worked = items.length > 0 && items.every(({ is }) => is === 'sent')
  if (options.json) printJson(items)
  else if (items.length === 0)
    print(
      'No channel is on besides the terminal and the feed. docs/notifications.md says how to turn one on.',
    )
  for (const { channel: name, is, why } of options.json ? [] : items)
    print(is === 'sent' ? `${paint('green', '✓')} ${name}` : `${paint('red', '✗')} ${name}: ${why}`)
  return worked ? 0 : 1
}
