// npm run attacks: replays every attack that is known, with bubblewrap and without, and prints what came of each.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { childEnv, env } from './env.ts'

interface Attempts {
  readonly aim: string
  /** Tests that attack, by file; those of a file with many others by what their titles say. */
  readonly files: Readonly<Record<string, RegExp>>
}

const ALL = /./
const ATTEMPTS: readonly Attempts[] = [
  {
    aim: 'Decide for the owner: by engine, by gate, with the crew key, with a guessed code, from another page',
    files: {
      'scenarios/crew/self-approval.long.test.ts': ALL,
      'scenarios/api/keys.test.ts': ALL,
      'scenarios/api/confirm-code.test.ts': ALL,
      'scenarios/cli/owner-key.test.ts': ALL,
      'scenarios/api/door.test.ts': ALL,
      'scenarios/api/input.test.ts': /bodies|addresses|slow clients/,
    },
  },
  {
    aim: 'Take a key at the address of a daemon that has died',
    files: {
      'scenarios/api/page-session.test.ts': ALL,
      'apps/cli/src/daemon-port.test.ts': ALL,
      'apps/agent/src/home.test.ts': /gone|dead|ended|no key/,
    },
  },
  {
    aim: 'Read, reach and write what is not theirs: engines, gates, repair',
    files: {
      'packages/sandbox/src/confine.test.ts': ALL,
      'packages/engines/src/confined.test.ts': ALL,
      'packages/repair/src/confined.test.ts': ALL,
      'packages/engines/src/native/engine.test.ts': /confined|leads out of the worktree/,
      'scenarios/crew/confined.long.test.ts': ALL,
      'scenarios/cli/sandbox-required.test.ts': ALL,
    },
  },
  {
    aim: 'Have tests run on other code than the change',
    files: {
      'scenarios/verify/right-tree.test.ts': ALL,
      'scenarios/verify/sabotage.long.test.ts': ALL,
    },
  },
  {
    aim: "Run something through Treadle's own git",
    files: { 'packages/git/src/planted.test.ts': ALL, 'packages/git/src/config-watch.test.ts': ALL },
  },
  {
    aim: 'Outlive a turn or a gate',
    files: {
      'packages/process/src/tree.test.ts': ALL,
      'packages/gates/src/run-command.test.ts': /leaves running|kill -9|time-out|tree/,
    },
  },
  {
    aim: 'Fill the disk, freeze a reader, hurt a terminal',
    files: {
      'packages/git/src/oversized.test.ts': ALL,
      'packages/gates/src/hostile-output.test.ts': ALL,
      'packages/gates/src/run-command.test.ts': /without end|control sequences|secrets/,
    },
  },
]
/** Where nothing can be confined, this is what shows that the owner is told before anything starts. */
const SAID = { file: 'scenarios/cli/owner-key.test.ts', name: 'up says before it starts anybody' }

interface Outcome {
  readonly file: string
  readonly name: string
  readonly status: string
  /** Why it failed, in a line. */
  readonly why: string
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'attacks-'))
// Programs that tests start as another user are looked for in here, too.
chmodSync(scratch, 0o755)
// Words after the command are parts of file names: only these are replayed.
const wanted = process.argv.slice(2)
const files = [...new Set(ATTEMPTS.flatMap((each) => Object.keys(each.files)))].filter(
  (file) => wanted.length === 0 || file === SAID.file || wanted.some((part) => file.includes(part)),
)
try {
  const confined = replay('with', env.path)
  const bare = replay('without', pathWithout('bwrap'))
  process.exitCode = print(confined, bare)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function replay(name: string, path: string): Outcome[] {
  const long = files.filter((file) => file.includes('.long.'))
  const tiers: [string[], string[]][] = [
    [files.filter((file) => !long.includes(file)), []],
    [long, ['--config', 'tools/vitest.long.config.ts']],
  ]
  return tiers.flatMap(([chosen, config], at) => {
    if (chosen.length === 0) return []
    const outputFile = join(scratch, `${name}-${at}.json`)
    const args = ['run', ...config, '--reporter=json', `--outputFile=${outputFile}`, ...chosen]
    process.stderr.write(`attacks ${name} bubblewrap: ${chosen.length} files\n`)
    spawnSync(join(root, 'node_modules/.bin/vitest'), args, {
      cwd: root,
      env: childEnv({ PATH: path, TREADLE_STRICT: '' }),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return outcomesIn(outputFile)
  })
}

function outcomesIn(file: string): Outcome[] {
  if (!existsSync(file)) throw new Error('the tests could not be started')
  const report: JsonReport = JSON.parse(readFileSync(file, 'utf8'))
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages: [message = ''] = [] }) => ({
      file: relative(root, name),
      name: fullName,
      status,
      why: message.split('\n')[0] ?? '',
    })),
  )
}

/** Everything that PATH leads to but one program. */
function pathWithout(program: string): string {
  const folders = env.path.split(delimiter).filter((folder) => isAbsolute(folder) && existsSync(folder))
  return folders
    .map((folder, at) => {
      if (!existsSync(join(folder, program))) return folder
      const farm = mkdtempSync(join(scratch, `path-${at}-`))
      chmodSync(farm, 0o755)
      for (const name of readdirSync(folder))
        if (name !== program) symlinkSync(join(folder, name), join(farm, name))
      return farm
    })
    .join(delimiter)
}

type Word = 'stopped' | 'said before start' | 'GOT THROUGH' | 'not replayed'

/** A test that was left out needs a sandbox; that is fair only if the owner is told that there is none. */
function wordFor(outcome: Outcome | undefined, isSaid: boolean): Word {
  if (outcome === undefined) return 'not replayed'
  if (outcome.status === 'passed') return 'stopped'
  return outcome.status !== 'failed' && isSaid ? 'said before start' : 'GOT THROUGH'
}

/** Prints the table; 1 if an attack got through or was not replayed. */
function print(confined: readonly Outcome[], bare: readonly Outcome[]): number {
  const isSaid = bare.some(({ name, status }) => name.includes(SAID.name) && status === 'passed')
  const counts = new Map<string, number>()
  const count = (column: string, word: Word) =>
    counts.set(`${column}: ${word}`, (counts.get(`${column}: ${word}`) ?? 0) + 1)
  process.stdout.write(`\n${'with bubblewrap'.padEnd(19)}${'without'.padEnd(19)}attack\n`)
  for (const { aim, files: tests } of ATTEMPTS) {
    const own = confined.filter(({ file, name }) => tests[file]?.test(name))
    if (own.length === 0) continue
    process.stdout.write(`\n${''.padEnd(38)}${aim}\n`)
    for (const each of own) {
      const other = bare.find(({ file, name }) => file === each.file && name === each.name)
      const words = [wordFor(each, false), wordFor(other, isSaid)] as const
      count('with', words[0])
      count('without', words[1])
      process.stdout.write(`${words.map((word) => word.padEnd(19)).join('')}${each.name}\n`)
      for (const why of [each.why, other?.why ?? ''])
        if (why !== '') process.stdout.write(`${''.padEnd(40)}${why}\n`)
    }
  }
  const totals = [...counts].map(([word, times]) => `${word} ${times}`).sort()
  process.stdout.write(
    `\n${totals.join(', ')}\n"said before start": the machine cannot confine anything, and treadle up says so before it starts an agent.\n`,
  )
  return totals.some((total) => /GOT THROUGH|not replayed/.test(total)) ? 1 : 0
}
