// What people say begins as it likes; what looks like an option and is none is still refused.
import { Option } from 'commander'
import { expect, test } from 'vitest'
import { SpokenCommand } from './spoken-command.ts'

function parsed(...args: string[]) {
  const heard: unknown[] = []
  const root = new SpokenCommand('treadle').exitOverride().configureOutput({ writeErr: () => undefined })
  const idea = root.command('idea')
  idea
    .command('begin', { isDefault: true })
    .argument('[sentence]')
    .action((sentence) => {
      heard.push(sentence)
    })
  idea
    .command('say')
    .argument('<slug>')
    .argument('<text...>')
    .addOption(new Option('--feedback <text>'))
    .option('--why [text]')
    .option('--json')
    .action((slug, text, options) => {
      heard.push(slug, text, options)
    })
  root.parse(args, { from: 'user' })
  return heard
}

test.each([
  ['- Lists: shared\n- Sync; merge'],
  ['-5 degrees are too cold'],
  ['-- no, thanks'],
  ['-json is what I want'],
])('%j is words, wherever it stands', (words) => {
  expect(parsed('idea', 'say', 'list', words, '--json')).toEqual(['list', [words], { json: true }])
  expect(parsed('idea', 'say', '--json', 'list', words, 'and', words)).toEqual([
    'list',
    [words, 'and', words],
    { json: true },
  ])
  expect(parsed('idea', 'say', 'list', '--', words)).toEqual(['list', [words], {}])
  expect(parsed('idea', words)).toEqual([words])
})

test('the value of an option may begin with a dash, too', () => {
  expect(parsed('idea', 'say', 'list', 'x', '--feedback', '- mend this')).toEqual([
    'list',
    ['x'],
    { feedback: '- mend this' },
  ])
  expect(parsed('idea', 'say', 'list', 'x', '--feedback=- mend = this')).toEqual([
    'list',
    ['x'],
    { feedback: '- mend = this' },
  ])
})

test.each(['--bogus', '-x', '--bogus=a b'])('%s is an unknown option', (option) => {
  expect(() => parsed('idea', 'say', 'list', 'x', option)).toThrow('unknown option')
})
