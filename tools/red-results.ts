// Which files and tests of a test command were red. Pure.
import type { TierResults } from './trace-results.ts'

export function redFiles({ files }: TierResults): string[] {
  const red = Object.entries(files).filter(([, { loaded, tests }]) => {
    return !loaded || tests.some(({ state }) => state === 'failed')
  })
  return red.map(([file]) => file)
}

/** One line for each red test, and one for each file that did not load. */
export function redTests(results: TierResults): string[] {
  return redFiles(results).flatMap((file) => {
    const { loaded = false, tests = [] } = results.files[file] ?? {}
    const failed = tests.filter(({ state }) => state === 'failed').map(({ title }) => `${file}: ${title}`)
    return loaded ? failed : [`${file}: did not load`, ...failed]
  })
}
