// The only reader of the CLI's environment.
export interface CliEnv {
  readonly workspace: string | null
  readonly all: Readonly<Record<string, string>>
}

export function readEnv(env: NodeJS.ProcessEnv = process.env): CliEnv {
  const all = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return { workspace: env.TREADLE_WORKSPACE ?? null, all }
}
