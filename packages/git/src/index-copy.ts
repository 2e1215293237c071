// A copy of an index that hides no change.
import { copyFileSync, statSync, utimesSync } from 'node:fs'

/**
 * Copies an index with the time of the original. Git takes a file of the same size and second for unchanged if the index
 * is younger than the file, so a copy that was made "now" would lose an edit from the second of the last checkout.
 */
export function copyIndex(from: string, to: string): void {
  const second = Math.floor(statSync(from).mtimeMs / 1_000)
  copyFileSync(from, to)
  utimesSync(to, second, second)
}
