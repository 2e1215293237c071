// `npm run check`: format, lint, import rules, types, lockfile, dead code, reach and documents. No tests.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnv } from './env.ts'

type Result = { ok: boolean; output: string; note?: string }
type Step = { name: string; run: () => Promise<Result> | Result }

const root = fileURLToPath(new URL('..', import.meta.url))
const textFile = /\.(?:[cm]?[jt]sx?|md|json|ya?ml|css|html|grit)$/

const steps: Step[] = [
  {
    name: 'format, lint, imports',
    run: () => run('biome', 'check', '--error-on-warnings', '--max-diagnostics=200', '.'),
  },
  { name: 'types', run: () => run('tsc', '-p', 'tsconfig.json') },
  { name: 'types of the dashboard', run: dashboardTypes },
  { name: 'lockfile', run: () => run('node', 'tools/check-lock.ts') },
  { name: 'dead code', run: () => run('knip') },
  { name: 'reached by a product', run: () => run('node', 'tools/reach.ts') },
  { name: 'documents', run: documents },
  { name: 'lint exceptions', run: exceptions },
]

/** Runs a program of the repository, whatever the PATH of the caller. */
function run(program: string, ...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules/.bin', program), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnv({ FORCE_COLOR: process.stdout.isTTY ? '1' : '0' }),
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => resolve({ ok: false, output: `${program}: ${error.message}` }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

function dashboardTypes(): Promise<Result> | Result {
  const config = 'apps/dashboard/tsconfig.json'
  if (existsSync(join(root, config))) return run('tsc', '-p', config, '--noEmit')
  return { ok: true, output: '', note: 'no dashboard yet' }
}

/** The files of the project: tracked, or new and not ignored. */
function projectFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  return names.filter((name) => textFile.test(name) && existsSync(join(root, name)))
}

/** A path into somebody's home helps no reader and tells where a text was written. */
function documents(): Result {
  const home = /(?:^|[\s'"`(=:])(\/(?:home|Users)\/[\w.-]+|\/root\/|[A-Z]:\\Users\\)/m
  const output: string[] = []
  for (const name of projectFiles().filter((file) => file.endsWith('.md'))) {
    const found = home.exec(readFileSync(join(root, name), 'utf8'))
    if (found) output.push(`${name}: contains a path into a home folder: ${found[1]}`)
  }
  return { ok: output.length === 0, output: output.join('\n') }
}

/** Exceptions are allowed where a rule hurts clarity; their number stays visible. */
function exceptions(): Result {
  const files = projectFiles().filter((name) => /\.[jt]sx?$/.test(name))
  const mark = /\/[/*]+ *biome-ignore/g
  const count = files.reduce(
    (sum, name) => sum + [...readFileSync(join(root, name), 'utf8').matchAll(mark)].length,
    0,
  )
  return { ok: true, output: '', note: `${count} biome-ignore` }
}

let failed = 0
for (const step of steps) {
  const started = performance.now()
  const { ok, output, note } = await step.run()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(
    `${ok ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(24)}${seconds.padStart(6)} s${note ? `  ${note}` : ''}\n`,
  )
  if (ok) continue
  failed += 1
  process.stdout.write(`${output.trimEnd()}\n`)
}
process.exitCode = failed > 0 ? 1 : 0
