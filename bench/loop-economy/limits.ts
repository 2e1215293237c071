// Thresholds of the seed's flow that the test loop reads: seed 004, Key Thresholds & Config.
export interface Limits {
  /** LOOP-THRESH-1 */
  readonly loopIterations: number
  /** LOOP-THRESH-4 */
  readonly testFixAttempts: number
  /** LOOP-THRESH-5 */
  readonly noProgress: number
  /** LOOP-THRESH-11 */
  readonly regressionInterval: number
  /** LOOP-THRESH-12, from 0 to 1 */
  readonly spotCheckChance: number
  /** LOOP-THRESH-13 */
  readonly spotCheckCount: number
}

export const LIMITS: Limits = {
  loopIterations: 100,
  testFixAttempts: 3,
  noProgress: 3,
  regressionInterval: 5,
  spotCheckChance: 0.3,
  spotCheckCount: 2,
}

/** The column "Sprint 2 Override", with which the document's own trace was made ("attempt 1/5"). */
export const SPRINT_2: Limits = { ...LIMITS, testFixAttempts: 5, noProgress: 10 }
