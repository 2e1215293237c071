// Who writes and who reads code, and how each engine is reached.
import { z } from 'zod'
import { ModelsConfig } from './models.ts'

/** Every engine that there is; whether it can be used here is another question. */
export const ENGINE_NAMES: readonly string[] = [
  'repair',
  'mend',
  'scripted',
  'command',
  'native',
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'acp',
]

/** Engines without a model: what they do follows from the code alone. */
const WITHOUT_MODEL: readonly string[] = ['repair', 'mend']

/** Whether what people write reaches the engine; one that searches for edits by itself reads nothing. */
export function readsWords(engine: string): boolean {
  return !WITHOUT_MODEL.includes(engine)
}

/** Whether an engine asks a model by itself; a program that does not has cost nothing but what it tells of. */
export function asksModel(engine: string): boolean {
  return !WITHOUT_MODEL.includes(engine) && engine !== 'command'
}

export const EnginesConfig = z.strictObject({
  default: z.string().min(1).max(60).default('repair').describe('Who writes the code'),
  first: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .default(null)
    .describe('An engine that may try before the default one, for example repair before a paid one'),
  fallback: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .default(null)
    .describe('Who builds items while the default engine rests; null: they wait for it'),
  allowModels: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('Beginnings of the names of models that an engine with a key may call; null: any'),
  reviewer: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .default(null)
    .describe(
      'Who reads deliveries where merge.approval is reviewer; repair cannot. null: nobody, a person does',
    ),
  repair: z
    .strictObject({
      budgetSeconds: z
        .int()
        .min(1)
        .max(3_600)
        .default(20)
        .describe(
          'Seconds of the processor that the search may take in each of its processes, after the untouched tests ran; it ends after five times as long by the clock',
        ),
      slowSeconds: z
        .int()
        .min(1)
        .max(3_600)
        .default(180)
        .describe('The same where every candidate costs a run of the test command'),
      maxCandidates: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(50_000)
        .describe('Edits that one search tries at most'),
    })
    .prefault({}),
  native: z
    .strictObject({
      provider: z
        .enum(['anthropic', 'openai-compatible'])
        .default('anthropic')
        .describe('Whose protocol the endpoint speaks; local servers speak the second'),
      baseURL: z
        .url({ protocol: /^https?$/ })
        .max(2_000)
        .nullable()
        .default(null)
        .describe('null: the usual endpoint of the provider'),
      keyVariable: z
        .string()
        .regex(/^[A-Z][A-Z0-9_]{0,99}$/)
        .nullable()
        .default(null)
        .describe(
          'Environment variable with the key; null: ANTHROPIC_API_KEY, or OPENAI_API_KEY, or none for a local server',
        ),
      stepsPerTurn: z.int().min(1).max(1_000).default(40).describe('Calls of the model in one acting phase'),
      parallel: z.int().min(1).max(10).default(2).describe('Sub-tasks that are done side by side'),
    })
    .prefault({}),
  'claude-code': z
    .strictObject({
      command: z.string().min(1).max(1_000).default('claude').describe('The binary, by name or path'),
      login: z
        .enum(['auto', 'key', 'own'])
        .default('auto')
        .describe(
          'key: ANTHROPIC_API_KEY and a folder of its own; own: the login of this user; auto: what is there',
        ),
      retries: z.int().min(0).max(20).default(3).describe('How often the program itself tries a call again'),
    })
    .prefault({}),
  acp: z
    .strictObject({
      command: z
        .array(z.string().min(1).max(1_000))
        .min(1)
        .max(50)
        .nullable()
        .default(null)
        .describe('Program and arguments of an agent that speaks ACP, for the engine acp'),
    })
    .prefault({}),
  sandbox: z
    .enum(['auto', 'required', 'off'])
    .nullable()
    .default(null)
    .describe('As sandbox.mode, for engines alone; null: what sandbox.mode says'),
  network: z
    .enum(['host', 'proxy'])
    .default('host')
    .describe(
      'host: engines have the network of the machine; proxy: one with a key reaches its model and sandbox.reach, nothing else',
    ),
  models: ModelsConfig,
  prices: z
    .record(
      z.string().min(1).max(200),
      z.strictObject({ inputUSD: z.number().min(0), outputUSD: z.number().min(0) }),
    )
    .default({})
    .describe('Dollars for a million tokens, by model; goes before the catalogue'),
  command: z
    .strictObject({
      run: z
        .string()
        .min(1)
        .max(2_000)
        .nullable()
        .default(null)
        .describe('A shell line that starts a coding session; see docs/command-engine.md'),
    })
    .prefault({}),
  scripted: z
    .strictObject({
      scenario: z
        .string()
        .min(1)
        .max(1_000)
        .nullable()
        .default(null)
        .describe('Scenario file, relative to the workspace'),
    })
    .prefault({}),
})
