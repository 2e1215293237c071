// Tests that passed without the change and do not with it, by their names.

/** Numbers in a name may differ from run to run: a port, a time, the place in a table. */
function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '0')
}

/** Names of the base that the head has not, or not as often. */
export function goneTests(base: readonly string[], head: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const name of head.map(withoutNumbers)) left.set(name, (left.get(name) ?? 0) + 1)
  return base.filter((name) => {
    const key = withoutNumbers(name)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

/** Those that no file of the change explains: of a name that begins with its file that one, else any of the tests. */
export function unexplained(
  gone: readonly string[],
  {
    changed,
    files,
    isTest,
  }: { changed: ReadonlySet<string>; files: ReadonlySet<string>; isTest(path: string): boolean },
): readonly string[] {
  const touchesTests = [...changed].some(isTest)
  return gone.filter((name) => {
    const [first = ''] = name.split(' > ', 1)
    return files.has(first) ? !changed.has(first) : !touchesTests
  })
}
