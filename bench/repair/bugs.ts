// The bug set. The data is in three files by origin: written by hand, seeded by a mutation tool, combined.
import { readFileSync } from 'node:fs'
import type { Bug } from './bug.ts'

function load(name: string): Bug[] {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

export const bugs: readonly Bug[] = [
  ...load('./hand-bugs.json'),
  ...load('./tool-bugs.json'),
  ...load('./combined-bugs.json'),
]

// Bugs in programs of their own, to be looked at once.
export const freshBugs: readonly Bug[] = [
  ...load('./fresh/hand-bugs.json'),
  ...load('./fresh/tool-bugs.json'),
  ...load('./fresh/combined-bugs.json'),
]
