// `npm run again -- quick|long`: runs the files that were red in the last run of a tier once more, each alone.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { redFiles, redTests } from './red-results.ts'
import { readResults, type Tier } from './trace-results.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const RED_FILES_MAX = 6
const configs: Partial<Record<Tier, string[]>> = {
  quick: [],
  long: ['--config', 'tools/vitest.long.config.ts'],
}

process.exitCode = again(process.argv[2] as Tier)

function again(tier: Tier): number {
  const config = configs[tier]
  if (config === undefined) return refuse('say which tests: npm run again -- quick, or npm run again -- long')
  const before = readResults(tier)
  const files = before === undefined ? [] : redFiles(before)
  if (before === undefined || files.length === 0)
    return refuse(`the last ${tier} run left no red file to run again`)
  if (files.length > RED_FILES_MAX) return refuse(`${files.length} files were red: too many for a race`)
  const red = redTests(before)
  for (const file of files) {
    const { status } = spawnSync('vitest', ['run', ...config, file], { cwd: root, stdio: 'inherit' })
    if (status !== 0) return refuse(`${file} is red again`)
  }
  const lines = ['Red in the whole run and green alone. Look for the race or the time limit:', ...red]
  process.stdout.write(`\n${lines.join('\n  ')}\n\n`)
  return 0
}

function refuse(why: string): number {
  process.stderr.write(`again: ${why}\n`)
  return 1
}
