import { z } from 'zod'
import { count, DAY, HOUR, ms } from './bounds.ts'

export const BuildsConfig = z.strictObject({
  failures: count(3).describe('With more failed tasks than this a build stops'),
  timeMs: ms(2 * HOUR).describe(
    'With more work time than this a build stops; what waits for you does not count',
  ),
  packageAgeMs: ms(7 * DAY).describe(
    'A package that is missing is installed only if the registry of the lock file has had it for longer than this',
  ),
})
export type BuildsConfig = z.infer<typeof BuildsConfig>
