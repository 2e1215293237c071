// The only reader of environment variables in the scenarios.
const PASSED_ON = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'CI']

/** What a program under test gets to see: its own home, and nothing of the user's. */
export function cleanEnv(home: string, added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), HOME: home, ...added }
}

/** Where the user's shell looks for programs. */
export function searchPath(): string {
  return process.env.PATH ?? ''
}

/** Where pictures of screens are put, for whoever wants to look at them; null: nowhere. */
export function picturesFolder(): string | null {
  return process.env.TREADLE_PICTURES ?? null
}
