// What the scripted model of the demo says: another sentence gives other features, files and code, and the code holds.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { featuresOf, ideaFiles, ideaScript } from './idea-script.ts'
import { subjectOf } from './idea-subject.ts'

const LIST = 'An offline-first shopping list'
const TIP = 'A tip calculator that splits a bill'

test.each([
  [LIST, 'shopping list', ['Shopping list', 'Merge two copies']],
  [TIP, 'tip calculator', ['Add a percentage', 'Split an amount']],
  ['I want to build a simple habit tracker', 'habit tracker', ['Habit tracker', 'Count by name']],
  ['A calculator', 'calculator', ['Calculator', 'Find by words']],
  ['Ein Überblick über Reisen', 'uberblick uber reisen', ['Uberblick uber reisen', 'Find by words']],
  ['買い物', 'idea', ['Idea', 'Find by words']],
  ['"; rm -rf / #', 'idea', ['Idea', 'Find by words']],
  ['process.exit() in `code`', 'process', ['Process', 'Find by words']],
])('%s is about a %s', (text, name, features) => {
  const subject = subjectOf(text)
  expect(subject.name).toBe(name)
  expect(subject.slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expect(featuresOf(text, subject).map((each) => each.name)).toEqual(features)
})

test('two sentences share no file of their code but the one door', () => {
  const [list, tip] = [ideaFiles(LIST), ideaFiles(TIP)]
  expect(Object.keys(list).filter((path) => path in tip)).toEqual(['src/index.js'])
  expect(list['src/index.js']).not.toBe(tip['src/index.js'])
  const programs = { node: 'node', command: 'node --test' }
  expect(ideaScript(LIST, programs).says).not.toEqual(ideaScript(TIP, programs).says)
})

test('the code of every feature passes its tests', () => {
  const texts = [LIST, TIP, 'A recipe archive with search and reminders', 'A poll to count votes']
  const root = mkdtempSync(join(tmpdir(), 'treadle-script-'))
  try {
    for (const [nth, text] of texts.entries())
      for (const [path, code] of Object.entries(ideaFiles(text))) {
        const file = join(root, String(nth), path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, code)
      }
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    const ended = spawnSync(process.execPath, ['--test'], { cwd: root, env: {}, encoding: 'utf8' })
    expect(ended.status, ended.stdout).toBe(0)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
