import { z } from 'zod'
import { MergeNeeds } from '../evidence-level.ts'

export const MergeApproval = z.enum(['human', 'reviewer', 'checks', 'never'])
export type MergeApproval = z.infer<typeof MergeApproval>

/** Files in which a wrong line does harm that no test of one item would see. */
const CRITICAL_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock{,b}',
  'Cargo.lock',
  'Gemfile.lock',
  'composer.lock',
  'poetry.lock',
  'uv.lock',
  'go.{mod,sum}',
  '**/migrations/**',
  '*.sql',
  'schema.*',
  '*.schema.*',
  '*.prisma',
] as const

export const MergeConfig = z.strictObject({
  approval: MergeApproval.default('human').describe(
    'human: you approve; reviewer: a second agent reads it; checks: what is proven is merged automatically; never: push and done',
  ),
  needs: MergeNeeds.default('proven').describe(
    'The least evidence that checks or a reviewer may merge without you. proven: a check that was red is green; supported: tests run the changed lines',
  ),
  target: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Branch to merge into; null: the branch checked out at init'),
  autoResolve: z
    .boolean()
    .default(true)
    .describe('Try small conflicts without a person: the target side wins, and all gates run again'),
  criticalFiles: z
    .array(z.string().min(1).max(300))
    .max(200)
    .default([...CRITICAL_FILES])
    .describe('Globs; a conflict in one of these always waits for a person. Without a slash: in any folder'),
  batch: z
    .int()
    .min(1)
    .max(32)
    .default(1)
    .describe(
      'How many approved items are tested as one stack; 1: each is tested by itself, as its own merge',
    ),
  push: z
    .boolean()
    .default(false)
    .describe(
      'true: a merge is pushed to origin, with its receipt; false: pushing the target is left to you',
    ),
  sign: z
    .enum(['auto', 'required', 'never'])
    .default('auto')
    .describe(
      'auto: signed with your git signing key if you have one that works, else with the key of the workspace; required: nothing lands unsigned',
    ),
  signers: z
    .array(z.string().min(1).max(1_000))
    .max(100)
    .default([])
    .describe(
      'Public halves of keys that sign merges here, a line each; treadle init adds those of this workspace',
    ),
})
