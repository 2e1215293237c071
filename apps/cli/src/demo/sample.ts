// The sample repository: small modules with tests, some of them really broken, and the items that ask for the repair.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { NewItem } from '@treadle/contracts/item'
import { workspacePaths } from '@treadle/contracts/workspace'
import { UserError } from '../user-error.ts'
import { prepareState } from '../workspace.ts'
import { SAMPLE_FILES } from './sample-files.ts'

export interface SampleItem {
  readonly title: string
  readonly body: string
  readonly acceptance: readonly string[]
  readonly test: string
  /** True if a search over small edits can be expected to find the repair. */
  readonly solvable: boolean
}

export const SAMPLE_ITEMS: readonly SampleItem[] = [
  {
    title: 'Cart total ignores quantities',
    body: 'Two notebooks at 3.50 cost 3.50 instead of 7.00.',
    acceptance: ['The total counts every unit of a line', 'test/cart.test.ts passes'],
    test: 'test/cart.test.ts',
    solvable: true,
  },
  {
    title: 'Last page of a list is missing',
    body: 'Eleven entries with ten a page give one page.',
    acceptance: ['A partly filled page counts as a page', 'test/pages.test.ts passes'],
    test: 'test/pages.test.ts',
    solvable: true,
  },
  {
    title: 'Slugs keep all but the first space',
    body: '"My first post" becomes "my-first post".',
    acceptance: ['Every run of spaces becomes one dash', 'test/slug.test.ts passes'],
    test: 'test/slug.test.ts',
    solvable: true,
  },
  {
    title: 'Discount applies below its threshold',
    body: 'Orders of exactly 100 must get the discount, orders below must not.',
    acceptance: ['99.99 has no discount, 100 has', 'test/discount.test.ts passes'],
    test: 'test/discount.test.ts',
    solvable: true,
  },
  {
    title: 'Editors cannot save their own drafts',
    body: 'Only an administrator who also owns the draft can; either should be enough.',
    acceptance: [
      'An owner may save, an administrator may save, a stranger may not',
      'test/access.test.ts passes',
    ],
    test: 'test/access.test.ts',
    solvable: true,
  },
  {
    title: 'Convert prices with daily exchange rates',
    body: 'Needs a source of rates that does not exist yet; somebody has to decide which.',
    acceptance: ['test/currency.test.ts passes'],
    test: 'test/currency.test.ts',
    solvable: false,
  },
]

/** Tests run on the Node that runs Treadle: the sample is TypeScript and an older one cannot read it. */
export function testCommand(node: string, file = ''): string {
  return `"${node}" --test --test-reporter=tap${file === '' ? '' : ` ${file}`}`
}

export function sampleItem(item: SampleItem, node: string): Partial<NewItem> & { title: string } {
  return {
    title: item.title,
    body: item.body,
    acceptance: [...item.acceptance],
    testCommand: testCommand(node, item.test),
  }
}

export function makeSample(root: string, node: string): void {
  makeRepository(root, {
    files: SAMPLE_FILES,
    message: 'A small shop with a few bugs',
    settings: {
      merge: { approval: 'checks', target: 'main' },
      tests: { command: testCommand(node), timeoutMs: 60_000 },
      engines: { default: 'repair' },
      limits: { pollMs: 250, sweepMs: 1_000, restartsPerHour: 4 },
    },
  })
}

interface Given {
  readonly files: Readonly<Record<string, string | Buffer>>
  readonly message: string
  readonly settings: object
}

/** A new repository with one commit, ready to be a workspace. */
export function makeRepository(root: string, { files, message, settings }: Given): void {
  mkdirSync(root, { recursive: true })
  if (readdirSync(root).length > 0)
    throw new UserError(`${root} is not empty.`, 'Give an empty or new folder: treadle demo --dir <dir>', 2)
  for (const [file, text] of Object.entries(files)) write(root, file, text)
  write(root, 'treadle.json', pretty(settings))
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Treadle demo')
  git('config', 'user.email', 'demo@localhost')
  git('add', '-A')
  git('commit', '-q', '-m', message)
  prepareState(workspacePaths(root))
}

function write(root: string, file: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
