import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notRun } from '@treadle/requirements/not-run'
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { env } from '../tools/env.ts'

const launcher = fileURLToPath(new URL('treadle.js', import.meta.url))
const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

const fakeMain = `
export async function main(argv: string[]): Promise<number> {
  const [what = '', code = '0'] = argv
  process.stdout.write(JSON.stringify({ argv, node: process.versions.node, cwd: process.cwd() }) + '\\n')
  if (what === 'echo') for await (const chunk of process.stdin) process.stdout.write(chunk)
  if (what === 'abort') process.kill(process.pid, 'SIGKILL')
  if (what !== 'wait') return Number(code)
  return await new Promise((resolve) => {
    const awake = setInterval(() => undefined, 1000)
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => { process.stdout.write(signal + '\\n'); clearInterval(awake); resolve(7) })
    }
    process.stdout.write('waiting\\n')
  })
}
`

/** The launcher in a repository of its own, whose command line only says how it was started. */
function repository(options: { modules: boolean }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-launcher-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'apps/cli/src'), { recursive: true })
  mkdirSync(join(folder, 'elsewhere'))
  copyFileSync(launcher, join(folder, 'bin/treadle.js'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'apps/cli/src/main.ts'), fakeMain)
  if (options.modules) symlinkSync(modules, join(folder, 'node_modules'))
  symlinkSync(join(folder, 'bin/treadle.js'), join(folder, 'elsewhere/treadle'))
  return folder
}

/** A Node of the machine that is older than the one the repository brings. */
function olderNode(context: TestContext): string {
  const seen: string[] = []
  for (const folder of env.path.split(delimiter)) {
    const node = join(folder, 'node')
    if (folder.includes('node_modules') || !existsSync(node)) continue
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const major = Number.parseInt(version.slice(1), 10)
    if (major >= 18 && major < 24) return node
    seen.push(version)
  }
  return notRun(
    context,
    `no Node from 18 to 23 on PATH (found: ${seen.join(' ') || 'none'})`,
    'apt-get install nodejs',
  )
}

function lineOf(child: ChildProcess, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', () => reject(new Error(`'${wanted}' did not come: ${text}`)))
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes(wanted)) resolve()
    })
  })
}

describe.each(['older', 'this'])('started by the %s Node', (which) => {
  const node = (context: TestContext): string => (which === 'older' ? olderNode(context) : process.execPath)

  test('through a symlink, from another folder: Node 24, arguments, input and exit code pass through', (context) => {
    const folder = repository({ modules: true })
    const cwd = join(folder, 'elsewhere')
    const args = [join(cwd, 'treadle'), 'echo', '3', '--flag', 'two words']
    const ran = spawnSync(node(context), args, { cwd, encoding: 'utf8', input: 'typed', timeout: 200_000 })
    expect(ran.stderr).toBe('')
    const [first = '', typed] = ran.stdout.split('\n')
    expect(JSON.parse(first)).toMatchObject({ argv: ['echo', '3', '--flag', 'two words'], cwd })
    expect(Number.parseInt(JSON.parse(first).node, 10)).toBeGreaterThanOrEqual(24)
    expect(typed).toBe('typed')
    expect(ran.status).toBe(3)
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    test(`${signal} reaches the command line, which decides how to end`, async (context) => {
      const args = [join(repository({ modules: true }), 'bin/treadle.js'), 'wait']
      const child = spawn(node(context), args, { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => {
        child.kill('SIGKILL')
      })
      const ended = once(child, 'exit')
      await lineOf(child, 'waiting')
      child.kill(signal)
      expect(await ended).toEqual([7, null])
    })
  }

  test('a command line that dies by a signal is reported as such', (context) => {
    const args = [join(repository({ modules: true }), 'bin/treadle.js'), 'abort']
    expect(spawnSync(node(context), args, { timeout: 200_000 }).signal).toBe('SIGKILL')
  })
})

test('an older Node without the packaged one says what to install', (context) => {
  const folder = repository({ modules: false })
  const ran = spawnSync(olderNode(context), [join(folder, 'bin/treadle.js')], {
    encoding: 'utf8',
    timeout: 200_000,
  })
  expect(ran.status).toBe(1)
  expect(ran.stderr).toContain(`npm ci\` in ${folder}, or install Node 24`)
  expect(ran.stderr).not.toContain('    at ')
})
