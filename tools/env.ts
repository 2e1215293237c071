// The only reader of environment variables in the repository's tooling.
export const env = {
  inCi: process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false',
  testDatabaseUrl: process.env.TREADLE_TEST_DATABASE_URL,
  browser: process.env.TREADLE_BROWSER,
  path: process.env.PATH ?? '',
}

/** The environment for a child process, with some variables added. */
export function childEnv(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...added }
}
