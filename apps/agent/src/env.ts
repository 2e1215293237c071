// The only reader of the agent's environment.
import { childEnv } from '@treadle/contracts/child-env'

/** What the engine and the tests get. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  return childEnv(env)
}
