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

/** TREADLE_CHAOS=full for the whole chaos; TREADLE_CHAOS_SEED to see a run again. */
export function chaosChoice(): { size: 'short' | 'full'; seed: number } {
  const { TREADLE_CHAOS: size, TREADLE_CHAOS_SEED: seed } = process.env
  return {
    size: size === 'full' ? 'full' : 'short',
    seed: seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(seed),
  }
}

/** Where the user's shell looks for programs. */
export function searchPath(): string {
  return process.env.PATH ?? ''
}
