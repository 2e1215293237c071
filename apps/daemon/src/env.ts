// The only reader of the daemon's environment.
import { childEnv, keyEnv } from '@treadle/contracts/child-env'

export interface DaemonEnv {
  readonly databaseUrl: string | null
  readonly childEnv: Readonly<Record<string, string>>
  /** What an agent gets: with it the keys for its engines, and the one that the settings name. */
  readonly agentEnv: (keyVariable: string | null) => Readonly<Record<string, string>>
  /** Of git alone: it may sign, for which it has to find the user's keys. */
  readonly gitEnv: Readonly<Record<string, string>>
}

export function readEnv(env: NodeJS.ProcessEnv = process.env): DaemonEnv {
  const children = childEnv(env)
  const keys = env.GNUPGHOME === undefined ? {} : { GNUPGHOME: env.GNUPGHOME }
  return {
    databaseUrl: env.DATABASE_URL ?? null,
    childEnv: children,
    agentEnv: (keyVariable) => ({ ...children, ...keyEnv(env, keyVariable) }),
    gitEnv: { ...children, ...keys },
  }
}
