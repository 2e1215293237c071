// The only reader of the agent's environment.
import { childEnv, keyEnv } from '@treadle/contracts/child-env'

/** What the engine and the tests get. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  return childEnv(env)
}

/** What only the engines get, each its own. */
export function readKeys(
  more: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> {
  return keyEnv(env, more)
}
