import { execFile, execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtInTemplate } from '@treadle/context/category-template'
import { CATEGORIES } from '@treadle/contracts/categories'
import { expect, onTestFinished, test } from 'vitest'
import { installTemplates, readTemplate, templatesDir } from './category-templates.ts'

function setUp() {
  const home = mkdtempSync(join(tmpdir(), 'treadle-prompts-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const workspaceDir = join(home, 'shop')
  mkdirSync(workspaceDir)
  const dir = join(home, '.claude', 'commands', 'category-prompts')
  const own = join(workspaceDir, '.claude', 'commands', 'category-prompts')
  return {
    home,
    workspaceDir,
    dir,
    own,
    install: () => installTemplates(dir, workspaceDir),
  }
}

test('all 21 prompts are put into the folder, and nothing else', () => {
  const { dir, install } = setUp()
  expect(install()).toEqual({ is: 'installed', added: [...CATEGORIES], kept: [], failed: [] })
  expect(readdirSync(dir).sort()).toEqual(CATEGORIES.map((category) => `${category}.md`).sort())
  expect(readFileSync(join(dir, 'security.md'), 'utf8')).toBe(builtInTemplate('security'))
})

test('what is there stays: a file of the owner, an empty one, a folder, and links that lead somewhere or nowhere', () => {
  const { home, dir, install } = setUp()
  mkdirSync(join(dir, 'testing.md'), { recursive: true })
  writeFileSync(join(dir, 'security.md'), 'mine')
  writeFileSync(join(dir, 'scalability.md'), '')
  writeFileSync(join(home, 'notes'), 'notes')
  symlinkSync(join(home, 'notes'), join(dir, 'innovation.md'))
  symlinkSync(join(home, 'gone'), join(dir, 'architecture.md'))
  const kept = ['innovation', 'architecture', 'security', 'testing', 'scalability']
  expect(install()).toMatchObject({ kept, failed: [] })
  expect(readFileSync(join(dir, 'security.md'), 'utf8')).toBe('mine')
  expect(readFileSync(join(dir, 'scalability.md'), 'utf8')).toBe('')
  expect(readFileSync(join(home, 'notes'), 'utf8')).toBe('notes')
  expect(() => lstatSync(join(home, 'gone'))).toThrow()
  rmSync(join(dir, 'documentation.md'))
  expect(install()).toMatchObject({ added: ['documentation'] })
})

test('a folder that cannot be made is told, whatever stands in the way', () => {
  const { home, dir, install } = setUp()
  writeFileSync(join(home, '.claude'), 'a file')
  expect(install()).toEqual({ is: 'no_folder', why: expect.stringMatching(/^E[A-Z]+: /) })
  rmSync(join(home, '.claude'))
  mkdirSync(join(dir, '..'), { recursive: true })
  symlinkSync(join(home, 'gone'), dir)
  expect(install()).toEqual({ is: 'no_folder', why: expect.stringMatching(/^E[A-Z]+: /) })
})

test('a folder that is a link of the owner is used, one within the workspace is not', () => {
  const { home, workspaceDir, dir, own, install } = setUp()
  const files = join(home, 'dotfiles')
  mkdirSync(files)
  mkdirSync(join(dir, '..'), { recursive: true })
  symlinkSync(files, dir)
  expect(install()).toMatchObject({ is: 'installed', added: { length: 21 } })
  expect(readTemplate('security', { workspaceDir, dir })).toMatchObject({ from: 'setting', warning: null })
  mkdirSync(join(own, '..'), { recursive: true })
  const outside = join(home, 'outside')
  mkdirSync(outside)
  symlinkSync(outside, own)
  const installed = installTemplates(own, workspaceDir)
  expect(installed).toEqual({ is: 'no_folder', why: expect.stringContaining('is a link') })
  expect(readdirSync(outside)).toEqual([])
})

test('prompts that cannot be written are told one by one', (context) => {
  const { workspaceDir } = setUp()
  // No file can be made there, by root neither.
  if (process.platform !== 'linux') return context.skip('needs a folder like /proc')
  const installed = installTemplates('/proc', workspaceDir)
  expect(installed).toMatchObject({ is: 'installed', added: [], failed: { length: 21 } })
  expect(installed).toMatchObject({
    failed: { 0: { category: 'optimization', why: expect.stringMatching(/^E/) } },
  })
})

test('what a killed writer has left is removed after a while, and nothing else', () => {
  const { dir, install } = setUp()
  mkdirSync(dir, { recursive: true })
  const names = ['.security.md.0123abcd.half', '.security.md.ffffffff.half', '.mine.half', 'notes.md']
  for (const name of names) writeFileSync(join(dir, name), 'half')
  const old = new Date(Date.now() - 3_600_000)
  for (const name of names) if (!name.includes('ffff')) utimesSync(join(dir, name), old, old)
  install()
  expect(names.map((name) => readdirSync(dir).includes(name))).toEqual([false, true, true, true])
})

test('daemons that start at once put each prompt there once, whole', async () => {
  const { dir, workspaceDir } = setUp()
  const module = new URL('./category-templates.ts', import.meta.url)
  const script = `import { installTemplates } from ${JSON.stringify(module)}
    const { added } = installTemplates(${JSON.stringify(dir)}, ${JSON.stringify(workspaceDir)})
    process.stdout.write(String(added.length))`
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]),
  )
  const counts = (await Promise.all(runs)).map(({ stdout }) => Number(stdout))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(21)
  for (const category of CATEGORIES)
    expect(readFileSync(join(dir, `${category}.md`), 'utf8')).toBe(builtInTemplate(category))
  expect(readdirSync(dir)).toHaveLength(21)
})

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────

test('the prompt of the workspace goes before that of the setting', () => {
  const { workspaceDir, dir, own, install } = setUp()
  install()
  writeFileSync(join(dir, 'security.md'), 'of the setting')
  expect(readTemplate('security', { workspaceDir, dir })).toEqual({
    text: 'of the setting',
    from: 'setting',
    warning: null,
  })
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'security.md'), 'of the workspace')
  expect(readTemplate('security', { workspaceDir, dir })).toEqual({
    text: 'of the workspace',
    from: 'workspace',
    warning: null,
  })
  expect(readTemplate('testing', { workspaceDir, dir })).toMatchObject({ from: 'setting' })
})

test('a prompt that is missing is none, and the warning says which category is skipped and what to do', () => {
  const { workspaceDir, dir, install } = setUp()
  install()
  rmSync(join(dir, 'security.md'))
  const { text, warning } = readTemplate('security', { workspaceDir, dir })
  expect(text).toBeNull()
  expect(warning).toContain(join(dir, 'security.md'))
  expect(warning).toContain('is missing: no ideas are asked for in the category security. Put a prompt there')
})

test('the built-in prompt stands in only where the folder could not be made', () => {
  const { workspaceDir, dir } = setUp()
  expect(readTemplate('security', { workspaceDir, dir: null })).toEqual({
    text: builtInTemplate('security'),
    from: 'built_in',
    warning: null,
  })
  expect(readTemplate('security', { workspaceDir, dir })).toMatchObject({ text: null })
})

/** Each puts something that is no prompt of a sane size in its place. */
const WRONG: readonly (readonly [string, (file: string) => void, RegExp])[] = [
  ['a folder', (file) => mkdirSync(file), /is no plain file/],
  ['a link to a secret', (file) => symlinkSync('/etc/passwd', file), /link|no plain file/],
  ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file]), /is no plain file/],
  ['a device that never ends', (file) => symlinkSync('/dev/zero', file), /link|no plain file/],
  [
    'a file of a terabyte',
    (file) => [writeFileSync(file, ''), truncateSync(file, 2 ** 40)],
    /larger than 64 KB/,
  ],
  ['a file that is a byte too large', (file) => writeFileSync(file, 'x'.repeat(65_537)), /larger than 64 KB/],
  ['an empty file', (file) => writeFileSync(file, ' \n'), /empty/],
  ['bytes that are no text', (file) => writeFileSync(file, Buffer.from([0x41, 0xff, 0xfe])), /no UTF-8 text/],
]

test.each(WRONG)('%s in the folder of the setting is no prompt', (_, put, why) => {
  const { workspaceDir, dir, install } = setUp()
  install()
  rmSync(join(dir, 'security.md'))
  put(join(dir, 'security.md'))
  expect(readTemplate('security', { workspaceDir, dir })).toEqual({
    text: null,
    warning: expect.stringMatching(why),
  })
})

test.each(WRONG)('%s in the workspace gives way to the setting, with a warning', (_, put, why) => {
  const { workspaceDir, dir, own, install } = setUp()
  install()
  mkdirSync(own, { recursive: true })
  put(join(own, 'security.md'))
  expect(readTemplate('security', { workspaceDir, dir })).toEqual({
    text: builtInTemplate('security'),
    from: 'setting',
    warning: expect.stringMatching(why),
  })
})

test('a folder of the workspace that leads out of it is not read', () => {
  const { home, workspaceDir, dir, install } = setUp()
  install()
  const outside = join(home, 'outside', 'commands', 'category-prompts')
  mkdirSync(outside, { recursive: true })
  writeFileSync(join(outside, 'security.md'), 'a secret')
  symlinkSync(join(home, 'outside'), join(workspaceDir, '.claude'))
  expect(readTemplate('security', { workspaceDir, dir })).toMatchObject({
    from: 'setting',
    warning: expect.stringContaining('behind one'),
  })
  expect(
    readTemplate('security', { workspaceDir, dir: join(workspaceDir, '.claude/commands/category-prompts') }),
  ).toMatchObject({
    text: null,
  })
})

test.each([
  ['~/.claude/commands/category-prompts', '/home/kim/.claude/commands/category-prompts'],
  ['~', '/home/kim'],
  ['~kim/x', '/srv/shop/~kim/x'],
  ['/srv/prompts', '/srv/prompts'],
  ['prompts', '/srv/shop/prompts'],
  ['../prompts/', '/srv/prompts'],
])('the setting %j is the folder %s', (setting, dir) => {
  expect(templatesDir(setting, { home: '/home/kim', workspaceDir: '/srv/shop' })).toBe(dir)
})
