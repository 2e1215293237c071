// The only reader of the daemon's environment.
import { childEnv } from '@treadle/contracts/child-env'

export interface DaemonEnv {
  readonly databaseUrl: string | null
  readonly childEnv: Readonly<Record<string, string>>
}

export function readEnv(env: NodeJS.ProcessEnv = process.env): DaemonEnv {
  return { databaseUrl: env.DATABASE_URL ?? null, childEnv: childEnv(env) }
}
