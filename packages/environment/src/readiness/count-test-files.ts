// How far a run of tests is, by the test files that its output names. Runners that name none are not counted.
import { execFileSync } from 'node:child_process'

const TEST_FILE =
  /(?:[._-](?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)(?:test_[^/]+|[^/]+_test)\.(?:py|go|rb|exs)|(?:^|\/)(?:tests?|__tests__)\/[^/]+\.[cm]?[jt]sx?)$/
const FILES_MAX = 5_000
/** What a chunk may cut in two. */
const CARRIED = 400

/** Test files of a tree, by their names. */
export function testFilesIn(cwd: string): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
    return listed
      .split('\0')
      .filter((file) => TEST_FILE.test(file))
      .slice(0, FILES_MAX)
  } catch {
    // No repository: nothing is counted.
    return []
  }
}

export class TestFileCount {
  readonly #left: Set<string>
  readonly #all: number
  #before = ''

  constructor(files: readonly string[]) {
    this.#left = new Set(files)
    this.#all = files.length
  }

  /** Takes in what was printed; null: nothing new is known. */
  see(text: string): { readonly done: number; readonly of: number } | null {
    const seen = this.#before + text
    this.#before = seen.slice(-CARRIED)
    const named = [...this.#left].filter((file) => seen.includes(file))
    for (const file of named) this.#left.delete(file)
    return named.length === 0 ? null : { done: this.#all - this.#left.size, of: this.#all }
  }
}
