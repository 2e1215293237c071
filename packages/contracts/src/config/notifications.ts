// Where notifications go. Only the terminal and the feed are on unless something else is said.
import { z } from 'zod'
import { AlertLevel } from '../cost.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const level = (value: AlertLevel) =>
  AlertLevel.default(value).describe('From this level on; what needs a decision comes at every level')
/** Secrets are in the environment alone; a name with this beginning cannot be one of somebody else's keys. */
const variable = z
  .string()
  .max(100)
  .regex(/^TREADLE_[A-Z0-9_]+$/, 'must be the name of a variable that begins with TREADLE_')
const address = z.url({ protocol: /^https?$/ }).max(2_000)
const ms = (value: number) => z.int().min(1).max(DAY).default(value)

export const NotificationsConfig = z.strictObject({
  terminal: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Shown by treadle up while it stays'),
      level: level('warning'),
      bell: z.boolean().default(true).describe('The bell rings for what is an error or needs a decision'),
    })
    .prefault({}),
  desktop: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .describe('notify-send, osascript or PowerShell, whichever the system has'),
      level: level('warning'),
    })
    .prefault({}),
  webhook: z
    .strictObject({
      enabled: z.boolean().default(false).describe('A POST to an address of yours'),
      level: level('warning'),
      url: address.nullable().default(null).describe('The address'),
      urlVariable: variable
        .nullable()
        .default(null)
        .describe('Variable with the address, where that is a secret itself'),
      secretVariable: variable
        .default('TREADLE_WEBHOOK_SECRET')
        .describe('Variable with the secret that signs each message; without it nothing is signed'),
      timeoutMs: ms(10 * SECOND).describe('How long an answer is waited for'),
    })
    .prefault({}),
  telegram: z
    .strictObject({
      enabled: z.boolean().default(false).describe('A message of your bot'),
      level: level('warning'),
      chatId: z
        .string()
        .regex(/^(-?\d{1,20}|@\w{3,40})$/, 'must be the number of a chat, or @channel')
        .nullable()
        .default(null)
        .describe('The chat that it writes to'),
      tokenVariable: variable
        .default('TREADLE_TELEGRAM_TOKEN')
        .describe('Variable with the token of the bot'),
      apiRoot: address.default('https://api.telegram.org').describe('Where the bot is reached'),
      timeoutMs: ms(20 * SECOND).describe('How long an answer is waited for'),
    })
    .prefault({}),
  repeatAfterMs: ms(30 * MINUTE).describe(
    'The same again within this time is counted, not told again, unless it was acknowledged',
  ),
  perTypeMs: ms(5 * MINUTE).describe(
    'One message for each type and channel in this time, with all that came meanwhile; critical ones and blocking questions do not wait',
  ),
  retryMs: ms(10 * SECOND).describe(
    'Pause before a message is tried again; longer each time, three times at most',
  ),
})
export type NotificationsConfig = z.infer<typeof NotificationsConfig>
