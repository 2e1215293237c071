// A repository with many small bugs, a test command that takes milliseconds, and the script that repairs each bug.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { moduleOf, TEST_SCRIPT } from '../kit/shop.ts'

export interface Shop {
  readonly root: string
  readonly items: number
}

export interface ShopSettings {
  readonly limits?: Record<string, number>
  /** What one turn of the engine costs; the budget covers all of them many times over. */
  readonly usd?: number
  /** How long a turn waits in the middle of its edits. */
  readonly waitMs?: number
  /** How many are merged as one stack. */
  readonly batch?: number
}

export function makeShop(
  root: string,
  items: number,
  { limits = {}, usd, batch = 1, waitMs = 120 }: ShopSettings = {},
): Shop {
  write(root, 'test.sh', TEST_SCRIPT)
  for (let n = 1; n <= items; n += 1) write(root, moduleOf(n), `module ${n}\nstate: wrong\n`)
  write(
    root,
    'treadle.json',
    JSON.stringify({
      merge: { approval: 'checks', target: 'main', batch },
      tests: { command: 'sh test.sh', timeoutMs: 30_000 },
      ...(usd === undefined ? {} : { agents: { dailyBudgetUSD: 100_000, monthlyBudgetUSD: 1_000_000 } }),
      engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } },
      limits: { pollMs: 100, sweepMs: 300, restartsPerHour: 1_000, ...limits },
    }),
  )
  write(
    root,
    'scenario.json',
    JSON.stringify({
      version: 1,
      items: Array.from({ length: items }, (_, i) => script(i + 1, { usd, waitMs })),
    }),
  )
  git(root, 'init', '-q', '-b', 'main')
  git(root, 'config', 'user.name', 'Shop')
  git(root, 'config', 'user.email', 'shop@localhost')
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '-m', 'A shop with bugs')
  return { root, items }
}

/** Every third one needs a second attempt; each waits a little in the middle of its edits, where a kill hurts most. */
function script(n: number, { usd, waitMs }: { usd: number | undefined; waitMs: number }) {
  const used = { use: { model: 'claude-sonnet-4-5', inputTokens: 1_000, outputTokens: 100, usd } }
  const right = [
    ...(usd === undefined ? [] : [used]),
    { write: { file: `notes/module-${n}.txt`, text: 'half way\n' } },
    { wait: { ms: waitMs } },
    { edit: { file: moduleOf(n), find: 'state: wrong', replace: 'state: right' } },
    { write: { file: `notes/module-${n}.txt`, text: 'whole\n' } },
  ]
  const wrong = [{ write: { file: `notes/module-${n}.txt`, text: 'a first idea\n' } }, { wait: { ms: 60 } }]
  return { match: { number: n }, attempts: n % 3 === 0 ? [wrong, right] : [right] }
}

/** The tree that main must end with: what an undisturbed crew makes. */
export function expectedTree(shop: Shop): Record<string, string> {
  const files: Record<string, string> = {}
  for (let n = 1; n <= shop.items; n += 1) {
    files[moduleOf(n)] = `module ${n}\nstate: right\n`
    files[`notes/module-${n}.txt`] = 'whole\n'
  }
  return files
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 }).trim()
}

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
