// Tests that kill and break things at moments which chance decides. The same seed gives the same moments, as far as
// the machine lets it: one fixed seed in every run, all of them by `npm run chaos`.
import { relative } from 'node:path'
import { expect, onTestFailed, type TestContext, type TestOptions, test } from 'vitest'
import { chaos } from './env.ts'

type Chaos = { readonly size: 'short' | 'full'; readonly seed: number | undefined }
type Chance = { readonly seed: number; readonly random: () => number }
type Body = (chance: Chance, context: TestContext) => Promise<void>

const SEEDS = [7, 11, 23, 42] as const
const SEED_MAX = 1_000_000

/** Whether this is `npm run chaos`, which may take an hour. */
export const isFullChaos = chaos.size === 'full'

/** A test for each seed of this run. One that fails says how to see it again. */
export function eachSeed(title: string, body: Body, options: TestOptions = {}): void {
  for (const seed of seedsOf(chaos, Math.random)) seeded(seed, title, body, options)
}

/** A test with one seed, for what takes too long to be done with each: a new one in `npm run chaos`. */
export function oneSeed(title: string, body: Body, options: TestOptions = {}): void {
  const seed = seedsOf(chaos, Math.random).at(-1)
  if (seed !== undefined) seeded(seed, title, body, options)
}

function seeded(seed: number, title: string, body: Body, options: TestOptions): void {
  test(`${title} (seed ${seed})`, options, async (context) => {
    process.stderr.write(`seed ${seed}: ${title}\n`)
    const file = relative(process.cwd(), expect.getState().testPath ?? '')
    onTestFailed(
      () => void process.stderr.write(`to see it again: ${replayCommand(file, chaos.size, seed)}\n`),
    )
    await body({ seed, random: randomFrom(seed) }, context)
  })
}

/** The one that was asked for; else the usual one; in the full chaos all that are known, and one more. */
export function seedsOf({ size, seed }: Chaos, random: () => number): readonly number[] {
  if (seed !== undefined) return [seed]
  return size === 'full' ? [...SEEDS, Math.floor(random() * SEED_MAX)] : [SEEDS[0]]
}

export function replayCommand(file: string, size: Chaos['size'], seed: number): string {
  const full = size === 'full' ? 'TREADLE_CHAOS=full ' : ''
  const config = file.includes('.long.') ? '--config tools/vitest.long.config.ts ' : ''
  return `${full}TREADLE_CHAOS_SEED=${seed} npx vitest run ${config}${file}`
}

/** mulberry32 */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
