// The only reader of the agent's environment; the daemon has already reduced it to an allow-list.
export function readEnv(env: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
