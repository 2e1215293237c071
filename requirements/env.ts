// The only reader of environment variables among the test aids.
export const strict = process.env.TREADLE_STRICT === '1'

const { TREADLE_CHAOS: size, TREADLE_CHAOS_SEED: seed } = process.env

/** TREADLE_CHAOS=full for the whole chaos; TREADLE_CHAOS_SEED to see a run again. */
export const chaos = {
  size: size === 'full' ? 'full' : 'short',
  seed: seed === undefined || seed === '' ? undefined : Number(seed),
} as const
