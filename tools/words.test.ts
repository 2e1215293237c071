// Words: a name says one thing, in a word that somebody would search for, and CONTEXT.md says what it means.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readWords, type Words } from './house-words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What is still allowed. A list may only shrink. */
const EXCEPTIONS: Readonly<Record<keyof Words, readonly string[]>> = {
  vagueNames: [],
  namesTwice: [],
  imageNames: [],
  foldersUnexplained: [],
}

const words = readWords(root)

test('no type is called Place, Given, Asked, Seen, Found, Said, Made or Done', () => {
  expect(words.vagueNames).toEqual(EXCEPTIONS.vagueNames)
})

test('no package exports two types by one name', () => {
  expect(words.namesTwice).toEqual(EXCEPTIONS.namesTwice)
})

test('files, folders and exports have plain words for names, not images', () => {
  expect(words.imageNames).toEqual(EXCEPTIONS.imageNames)
})

test('CONTEXT.md explains the word of every folder', () => {
  expect(words.foldersUnexplained).toEqual(EXCEPTIONS.foldersUnexplained)
})

test('each kind of bad name is found, with its file', () => {
  const folder = repository({
    'CONTEXT.md':
      '| word | meaning |\n|---|---|\n| packages | ours |\n| `flow`, stage | the flow |\n| item | work |\n',
    'packages/flow/src/items/one.ts':
      'type Place = 1\nexport type Twice = Place\nexport const openPurse = 1\n',
    'packages/flow/src/items/two.ts': 'interface Done {}\nexport interface Twice extends Done {}\n',
    'packages/flow/src/odd/waiting-room.ts': 'export function openDesktop() {}\nexport class RunVitals {}\n',
    'packages/flow/src/migrations/013-weighed.ts': 'export const weighed = 1\n',
  })
  expect(readWords(folder)).toEqual({
    vagueNames: ['packages/flow/src/items/one.ts: Place', 'packages/flow/src/items/two.ts: Done'],
    namesTwice: ['packages/flow: Twice (packages/flow/src/items/one.ts, packages/flow/src/items/two.ts)'],
    imageNames: [
      'packages/flow/src/items/one.ts: openPurse',
      'packages/flow/src/odd/waiting-room.ts: odd/waiting-room.ts',
      'packages/flow/src/odd/waiting-room.ts: RunVitals',
    ],
    foldersUnexplained: ['migrations: packages/flow/src/migrations', 'odd: packages/flow/src/odd'],
  } satisfies Words)
})

function repository(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-words-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('git', ['init', '-q'], { cwd: folder })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
