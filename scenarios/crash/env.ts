// The environment a crew under test gets: a home of its own, and the machine's PATH.
export function testEnv(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
}
