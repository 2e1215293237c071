// How the settings that are numbers are bounded. Zero never means unlimited.
import { z } from 'zod'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const ms = (value: number) =>
  z
    .int()
    .min(1)
    .max(400 * DAY)
    .default(value)
export const percent = (value: number) => z.number().min(0).max(100).default(value)
export const count = (value: number) => z.int().min(1).max(2_147_483_647).default(value)
