// Which runs are not shown a lesson that applies to them, so that its effect can be told.
/** The block of runs of a stratum in which some go without, at places that the seed decides. */
const BLOCK = 10

export interface Draw {
  readonly lessonId: string
  /** Runs are compared with their like: repository and kind of item. */
  readonly stratum: string
  /** How many runs of the stratum were eligible before this one. */
  readonly nth: number
  /** 0 to 1; 0.3 by default. */
  readonly withheldShare: number
}

/** The same draw has the same result, whoever makes it and however often. */
export function isWithheld({ lessonId, stratum, nth, withheldShare }: Draw): boolean {
  const block = Math.floor(nth / BLOCK)
  const order = shuffled(hash(`${lessonId}\n${stratum}\n${block}`))
  const place = order[nth % BLOCK] ?? 0
  // Where the share is no whole number of a block, the blocks take turns.
  const before = Math.round(block * BLOCK * withheldShare)
  const after = Math.round((block + 1) * BLOCK * withheldShare)
  return place < after - before
}

function shuffled(seed: number): number[] {
  const order = Array.from({ length: BLOCK }, (_, index) => index)
  const random = randomFrom(seed)
  for (let index = BLOCK - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const [one = 0, two = 0] = [order[index], order[other]]
    order[index] = two
    order[other] = one
  }
  return order
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  return value
}

/** Mulberry32: small, seeded, good enough to lay out ten places. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
