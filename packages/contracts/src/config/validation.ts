import { z } from 'zod'
import { ValidationLevel } from '../validation-level.ts'

export const ValidationConfig = z.strictObject({
  level: ValidationLevel.nullable()
    .default(null)
    .describe(
      'Which gates run at most; tests, secrets, integrity and witness always do. A build may have a level of its own. null: all that the other settings have',
    ),
})
export type ValidationConfig = z.infer<typeof ValidationConfig>
