// Progress of a run of tests: told at once when it begins, then as files are named, and not more often than people read.
import type { StepProgress } from '@treadle/contracts/readiness'
import { TestFileCount, testFilesIn } from './count-test-files.ts'

const TELL_MS = 2_000

/** What takes in the output of a test command and tells how far it is. */
export function watchTests(
  cwd: string,
  onProgress: (progress: StepProgress) => void,
  now: () => number = () => performance.now(),
): (text: string) => void {
  onProgress({ step: 'testing', files: null })
  const count = new TestFileCount(testFilesIn(cwd))
  let toldAt = now()
  return (text) => {
    const files = count.see(text)
    const isLast = files !== null && files.done === files.of
    if (files === null || (!isLast && now() - toldAt < TELL_MS)) return
    toldAt = now()
    onProgress({ step: 'testing', files })
  }
}
