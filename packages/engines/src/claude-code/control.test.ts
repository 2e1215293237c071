import { expect, test } from 'vitest'
import { classify } from './classify.ts'
import { permissionOf, questionOf, wordsOf } from './control.ts'
import { argvOf, type ClaudeCodeSettings, envOf, loginOf } from './settings.ts'

const bash = { id: 'r1', tool: 'Bash', input: { command: 'rm -rf build', description: 'x' } }
const questions = [
  {
    question: 'Which way?',
    header: 'Way',
    multiSelect: true,
    options: [{ label: 'left', description: 'past the mill' }, { label: 'right (Recommended)' }],
  },
  { question: 'How far?', options: [] },
]
const ask = { id: 'r2', tool: 'AskUserQuestion', input: { questions } }

test('leave to use a tool, and a form, are asked for in words', () => {
  expect(questionOf(bash)).toEqual({
    id: 'r1',
    kind: 'permission',
    title: 'May Bash be used? rm -rf build',
    options: ['allow', 'deny'],
    tool: 'Bash',
    input: 'rm -rf build',
  })
  expect(questionOf(ask)).toMatchObject({
    kind: 'form',
    title: 'Which way?\nHow far?',
    options: ['left', 'right (Recommended)'],
    parts: [
      {
        name: 'Which way?',
        detail: {
          header: 'Way',
          multiple: true,
          choices: [
            { label: 'left', description: 'past the mill' },
            { label: 'right (Recommended)', recommended: true },
          ],
          defaultOption: 'right (Recommended)',
          blocking: true,
        },
      },
      { name: 'How far?', detail: { choices: [], allowFreeText: true } },
    ],
  })
})

test.each([
  ['yes', bash, { text: 'allow' }, { behavior: 'allow', updatedInput: bash.input }],
  ['no', bash, { text: '', allow: false }, { behavior: 'deny', message: 'A person did not allow this.' }],
  ['deny', bash, { text: 'deny' }, { behavior: 'deny', message: 'A person did not allow this.' }],
  ['no, but', bash, { text: 'look in src', allow: false }, { behavior: 'deny', message: 'look in src' }],
  [
    'another input',
    bash,
    { text: 'allow', input: { command: 'ls' } },
    { behavior: 'allow', updatedInput: { command: 'ls' } },
  ],
  [
    'a form',
    ask,
    { text: 'all', values: { 'Which way?': ['left', 'right'], 'How far?': 'far' } },
    {
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which way?': 'left, right', 'How far?': 'far' } },
    },
  ],
  [
    'a form of which one question has no answer',
    ask,
    { text: 'left', values: { 'Which way?': 'left' } },
    { behavior: 'allow', updatedInput: { questions, answers: { 'Which way?': 'left' } } },
  ],
  [
    'a form that nobody was asked',
    ask,
    { text: '', unasked: 'Nobody can be asked.' },
    { behavior: 'deny', message: 'Nobody can be asked.' },
  ],
])('%s is answered as the program takes it', (_, wish, answer, permission) => {
  expect(permissionOf(wish, answer)).toEqual(permission)
})

test('words beside a yes are for the turn', () => {
  expect(wordsOf(questionOf(bash), { text: 'allow' })).toBeNull()
  expect(wordsOf(questionOf(bash), { text: 'but only once' })).toBe('but only once')
  expect(wordsOf(questionOf(bash), { text: 'no', allow: false })).toBeNull()
})

const settings: ClaudeCodeSettings = {
  command: 'claude',
  model: null,
  login: 'auto',
  retries: 2,
  sandbox: 'auto',
  access: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
  prices: () => ({ usd: 0, warning: null }),
  env: {},
}
const open = {
  cwd: '/w',
  home: '/h',
  env: { PATH: '/bin', HOME: '/root' },
  stallMs: 1,
  onEvent: () => undefined,
  onQuestion: async () => ({ text: '' }),
}

test('with a key it has a folder of its own; with the login of a person it has neither key nor folder from us', () => {
  expect(envOf({ settings, open })).toMatchObject({
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CONFIG_DIR: '/h/claude',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
  })
  const own = envOf({ settings: { ...settings, login: 'own' }, open })
  expect([own.ANTHROPIC_API_KEY, own.CLAUDE_CONFIG_DIR, own.ANTHROPIC_BASE_URL]).toEqual([
    undefined,
    undefined,
    'http://127.0.0.1:1',
  ])
  expect(loginOf({ login: 'auto', access: {} })).toBe('own')
})

test('the settings of a repository are not read, and limits, schema and conversation are handed on', () => {
  const schema = { type: 'object' }
  const limited = { ...open, maxTurns: 3, budgetUSD: 0.5, schema, system: 'Be brief.', readOnly: true }
  const argv = argvOf({ program: '/bin/claude', settings, open: limited, resume: 'abc' })
  const after = (name: string) => argv[argv.indexOf(name) + 1]
  expect(after('--setting-sources')).toBe('')
  expect(argv).toContain('--strict-mcp-config')
  expect([after('--max-turns'), after('--max-budget-usd'), after('--resume')]).toEqual(['3', '0.5', 'abc'])
  expect([after('--json-schema'), after('--append-system-prompt')]).toEqual([
    '{"type":"object"}',
    'Be brief.',
  ])
  const shut = ['Edit', 'Write', 'NotebookEdit', 'Bash']
  expect(argv.slice(argv.indexOf('--disallowedTools') + 1)).toEqual(shut)
})

test('the model of a turn goes before that of the settings, and its effort is handed on', () => {
  const given = { ...settings, model: 'usual' }
  const argvWith = (changes: object) =>
    argvOf({ program: 'claude', settings: given, open: { ...open, ...changes }, resume: null })
  const after = (argv: string[], name: string) => argv[argv.indexOf(name) + 1]
  expect(after(argvWith({}), '--model')).toBe('usual')
  expect(argvWith({})).not.toContain('--effort')
  const argv = argvWith({ model: 'other', effort: 'high' })
  expect([after(argv, '--model'), after(argv, '--effort')]).toEqual(['other', 'high'])
})

const result = { subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: null }
test.each([
  ['no key at all', { ...result }, 'authentication_failed', 'auth'],
  ['no money, told as a bad request', { ...result, api_error_status: 400 }, 'billing_error', 'billing'],
  ['a line that broke', { ...result }, 'server_error', 'network'],
  [
    'an older one that calls an error completed',
    { ...result, terminal_reason: 'completed', api_error_status: 500 },
    null,
    'overloaded',
  ],
  [
    'an error of its own',
    { ...result, subtype: 'error_during_execution', terminal_reason: null },
    null,
    'crashed',
  ],
] as const)('%s', (_, given, error, outcome) => {
  expect(classify({ result: given, error, isInterrupted: false })).toBe(outcome)
})
