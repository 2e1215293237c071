// By hand: how many honest commits of other projects the gate of new capabilities would stop, and by which class.
//   node bench/capabilities/honest.ts [--commits 60] [--fixes] [--list] GIT_FOLDER…
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { GatesConfig } from '../../packages/contracts/src/config/gates.ts'
import { waitWords } from '../../packages/contracts/src/words/gates.ts'
import { findBrought } from '../../packages/gates/src/capability/gate.ts'
import { unconfined } from '../../packages/gates/src/run-command.ts'
import { env } from '../../tools/env.ts'

const CLASSES = [
  'refused',
  'protected_path',
  'conditions',
  'inputs',
  'capability',
  'configuration',
  'unreadable',
  'by_hand',
  'loads',
] as const
type Class = (typeof CLASSES)[number]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '60' },
    fixes: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const filesMax = 20
const isSource = (path: string): boolean => /\.([cm]?[jt]sx?|py|vue|svelte)$/.test(path)
const row = (name: string, cells: readonly (string | number)[]): string =>
  [name.padEnd(28), ...cells.map((cell) => String(cell).padStart(16))].join('')
const share = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`

process.stdout.write(`${row('project', ['commits', ...CLASSES, 'stopped', 'by (f) alone'])}\n`)
const all = { commits: 0, stopped: 0, capability: 0 }
for (const repository of positionals) {
  const found = await lookAt(repository)
  const count = (kind: Class): number => found.filter((each) => each.has(kind)).length
  const stopped = found.filter((each) => each.size > 0).length
  const byCapability = found.filter((each) => each.has('capability') || each.has('unreadable')).length
  const cells = [
    found.length,
    ...CLASSES.map(count),
    share(stopped, found.length),
    share(byCapability, found.length),
  ]
  process.stdout.write(`${row(basename(dirname(repository)) || repository, cells)}\n`)
  all.commits += found.length
  all.stopped += stopped
  all.capability += byCapability
}
process.stdout.write(
  `${row('all', [all.commits, ...CLASSES.map(() => ''), share(all.stopped, all.commits), share(all.capability, all.commits)])}\n`,
)

/** What each of the newest commits with a source in it is stopped by. */
async function lookAt(repository: string): Promise<Set<Class>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'honest-'))
  const cwd = join(folder, 'tree')
  const git: Git = (...args) =>
    execFileSync('git', ['-C', cwd, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', repository, cwd], { stdio: 'ignore' })
    const results: Set<Class>[] = []
    for (const commit of commitsIn(git)) {
      if (results.length >= Number(values.commits)) break
      git('checkout', '-q', '--force', commit.head)
      const found = await stoppedBy(cwd, commit, git)
      results.push(new Set(found.map(([kind]) => kind)))
      const head = `  ${commit.head.slice(0, 8)} ${commit.subject.slice(0, 50)}`
      if (values.list) process.stdout.write(found.map(([, words]) => `${head} | ${words}\n`).join(''))
    }
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Git = (...args: string[]) => string

interface HonestCommit {
  readonly head: string
  readonly base: string
  readonly subject: string
  readonly changed: readonly string[]
}

/** The newest first; those with a source in them that are small enough to be one idea. */
function* commitsIn(git: Git): Generator<HonestCommit> {
  for (const line of git('log', '--no-merges', '--format=%H %P\t%s', '-n', '2000').split('\n')) {
    const [ids = '', subject = ''] = line.split('\t')
    const [head, base] = ids.split(' ')
    if (!head || !base || (values.fixes && !/\b(fix|bug|wrong|correct|handle)/i.test(subject))) continue
    const changed = git('diff', '--name-only', '--no-renames', '-z', base, head).split('\0').filter(Boolean)
    if (changed.length <= filesMax && changed.some(isSource)) yield { head, base, subject, changed }
  }
}

async function stoppedBy(cwd: string, { base, changed }: HonestCommit, git: Git): Promise<[Class, string][]> {
  const options = {
    evidenceDir: join(dirname(cwd), 'evidence'),
    env: { PATH: env.path },
    tailBytes: 1_000,
    surroundings: unconfined('no command of the project is run'),
  }
  const readBase = async (path: string): Promise<string | null> => {
    try {
      return git('show', `${base}:${path}`)
    } catch {
      return null
    }
  }
  const { refused, waits } = await findBrought(options, {
    cwd,
    base,
    changed,
    readBase,
    config: GatesConfig.parse({}),
    mayChangeTests: false,
    judgedBy: [],
    timeoutMs: 60_000,
  })
  return [
    ...refused.map(({ file, what }): [Class, string] => ['refused', `refused: ${file}: ${what}`]),
    ...waits.map((wait): [Class, string] => [wait.class, waitWords(wait)]),
  ]
}
