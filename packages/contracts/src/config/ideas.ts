import { z } from 'zod'
import { DAY, MINUTE, ms } from './bounds.ts'

/** Where ideas and specifications stand, and how they are made. */
export const IdeasConfig = z.strictObject({
  dir: z
    .string()
    .min(1)
    .max(200)
    .regex(/^(?!\/)(?!.*\.\.)[^\\]+$/, 'must be a folder below the workspace')
    .default('users')
    .describe('The folder of ideas and specifications, the only place of the checkout where Treadle writes'),
  engine: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .default(null)
    .describe(
      'Who talks about ideas and writes specifications; none: an interview, and rules; null: engines.default if it can read',
    ),
  webSearch: z
    .strictObject({
      provider: z
        .enum(['tavily'])
        .nullable()
        .default(null)
        .describe(
          'Who looks up the web when somebody asks about market, competitors or validation; they are sent the message. null: nobody',
        ),
      keyVariable: z
        .string()
        .max(100)
        .regex(/^TREADLE_[A-Z0-9_]+$/, 'must be the name of a variable that begins with TREADLE_')
        .default('TREADLE_TAVILY_KEY')
        .describe('Variable with the key; without it nothing is looked up'),
      apiRoot: z
        .url({ protocol: /^https?$/ })
        .max(2_000)
        .default('https://api.tavily.com')
        .describe('Where the API is'),
      results: z.int().min(1).max(10).default(5).describe('How many results the model is told'),
      timeoutMs: z.int().min(1).max(60_000).default(10_000).describe('How long an answer is waited for'),
    })
    .prefault({}),
  openMax: z
    .int()
    .min(0)
    .max(1_000)
    .default(10)
    .describe('With so many improvements of its own open, the crew looks for no more'),
  perDay: z.int().min(0).max(1_000).default(24).describe('How many improvements a day may bring'),
  perCategoryPerDay: z.int().min(0).max(100).default(2).describe('The same for each category'),
  quietHours: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be as in 22:00-07:00')
    .nullable()
    .default(null)
    .describe('When the crew looks for no improvements, in the time of this machine, such as 22:00-07:00'),
  withoutTests: z
    .boolean()
    .default(false)
    .describe('Look for improvements also in a repository without tests, where nothing shows what breaks'),
  exhaustedMs: ms(7 * DAY).describe('How long a category is left alone in which nothing is worth doing'),
  roundMs: ms(DAY).describe('How long a category is left alone whose answer did not hold'),
  templates: z
    .string()
    .min(1)
    .max(1_000)
    .default('~/.claude/commands/category-prompts')
    .describe(
      "Folder with the 21 prompts that ideas by category are asked for with, <category>.md; ~ is the home of the daemon's user. .claude/commands/category-prompts of the workspace goes before it, file by file",
    ),
  unattendedMs: ms(MINUTE).describe(
    'How long a talk waits for a reply that nobody can give (no agent, all paused, a resting engine, no money left) before it goes on as an interview',
  ),
})
export type IdeasConfig = z.infer<typeof IdeasConfig>
