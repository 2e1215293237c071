// npm run attacks: replays every attack that is known, with bubblewrap and without, and prints what came of each.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { childEnv, env } from './env.ts'

/** Tests that attack: what each can read and reach, who decides, what is run, what outlives, what fills and freezes. */
const QUICK = [
  'packages/sandbox/src/confine.test.ts',
  'packages/engines/src/confined.test.ts',
  'packages/repair/src/confined.test.ts',
  'packages/git/src/planted.test.ts',
  'packages/git/src/oversized.test.ts',
  'packages/gates/src/hostile-output.test.ts',
  'scenarios/api/keys.test.ts',
  'scenarios/api/confirm-code.test.ts',
  'scenarios/verify/right-tree.test.ts',
]
const LONG = [
  'scenarios/crew/self-approval.long.test.ts',
  'scenarios/crew/confined.long.test.ts',
  'scenarios/verify/sabotage.long.test.ts',
  'scenarios/crash/add.long.test.ts',
]

interface Outcome {
  readonly file: string
  readonly name: string
  readonly status: string
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'attacks-'))
try {
  const confined = replay('with', env.path)
  const bare = replay('without', pathWithout('bwrap'))
  print(confined, bare)
  process.exitCode = [...confined, ...bare].some(({ status }) => status === 'failed') ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function replay(name: string, path: string): Outcome[] {
  const configs: [string[], string[]][] = [
    [QUICK, []],
    [LONG, ['--config', 'tools/vitest.long.config.ts']],
  ]
  return configs.flatMap(([files, config], at) => {
    const outputFile = join(scratch, `${name}-${at}.json`)
    const args = ['run', ...config, '--reporter=json', `--outputFile=${outputFile}`, ...files]
    process.stderr.write(`attacks ${name} bubblewrap: ${files.length} files\n`)
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
    assertionResults.map(({ fullName, status }) => ({ file: relative(root, name), name: fullName, status })),
  )
}

/** Everything that PATH leads to but one program. */
function pathWithout(program: string): string {
  const folders = env.path.split(delimiter).filter((folder) => isAbsolute(folder) && existsSync(folder))
  return folders
    .map((folder, at) => {
      if (!existsSync(join(folder, program))) return folder
      const farm = mkdtempSync(join(scratch, `path-${at}-`))
      for (const name of readdirSync(folder))
        if (name !== program) symlinkSync(join(folder, name), join(farm, name))
      return farm
    })
    .join(delimiter)
}

function print(confined: readonly Outcome[], bare: readonly Outcome[]): void {
  const words = (outcome: Outcome | undefined): string => {
    if (outcome === undefined) return 'not run'
    if (outcome.status === 'passed') return 'stopped'
    return outcome.status === 'failed' ? 'THROUGH' : 'no sandbox'
  }
  let last = ''
  for (const each of confined) {
    if (each.file !== last) process.stdout.write(`\n${each.file}\n`)
    last = each.file
    const other = bare.find(({ file, name }) => file === each.file && name === each.name)
    process.stdout.write(`  ${words(each).padEnd(10)}  ${words(other).padEnd(10)}  ${each.name}\n`)
  }
  process.stdout.write(
    '\nFirst column: with bubblewrap. Second: without. "no sandbox": the machine cannot, and `treadle up` says so.\n',
  )
}
