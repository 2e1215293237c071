import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCatalogue } from './catalogue.ts'

const bad: [what: string, yaml: string, why: RegExp][] = [
  ['is no YAML', 'triggers: [', /^build\/questions.yaml: /],
  ['has nothing', 'triggers: []', /Too small/],
  ['has an unknown key', 'triggers: [{event: a, when: b, questions: []}]', /when/],
  [
    'has an event in capitals',
    'triggers: [{event: A, questions: [{type: blocking, text: a, tags: [a]}]}]',
    /lower case/,
  ],
  [
    'has a condition that is none',
    'triggers: [{event: a, condition: "b(", questions: [{type: blocking, text: a, allowFreeText: true, tags: [a]}]}]',
    /^build\/questions.yaml: condition "b\(": .* at character \d+$/,
  ],
  [
    'asks what cannot be answered',
    'triggers: [{event: a, questions: [{type: blocking, text: a, tags: [a]}]}]',
    /^build\/questions.yaml: a: .*neither an option nor free text/s,
  ],
  [
    'has a clarifying question without a default',
    'triggers: [{event: a, questions: [{type: clarifying, text: a, allowFreeText: true, tags: [a]}]}]',
    /needs a safe default/,
  ],
  [
    'declares an event twice',
    `triggers: [${'{event: a, questions: [{type: blocking, text: a, allowFreeText: true, tags: [a]}]},'.repeat(2)}]`,
    /a is declared twice/,
  ],
]

test.for(bad)('a catalogue that %s is refused with the place', ([, yaml, why]) => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-catalogue-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'build'))
  writeFileSync(join(folder, 'build/questions.yaml'), yaml)
  expect(() => loadCatalogue(folder)).toThrow(why)
})
