import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from './git.ts'
import { useGitLauncher } from './git-launcher.ts'
import { makeScratch } from './scratch-repository.ts'

function setUp() {
  useGitLauncher()
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return { ...scratch, git: openGit(scratch) }
}

/** The processes that start git for the process of this id. */
function launchersOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line))
    .filter((match) => Number(match?.[2]) === pid && match?.[3]?.includes('git-launcher-main'))
    .map((match) => Number(match?.[1]))
}

test('git is started by the small process, and answers as if it were our own child', async () => {
  const { git, repository } = setUp()
  writeFileSync(
    join(repository, '.git/parent.sh'),
    'p=$PPID; for level in 1 2 3 4; do echo $p; p=$(ps -o ppid= -p $p) || break; done\n',
  )
  const alias = ['-c', `alias.parent=!sh ${join(repository, '.git/parent.sh')}`, 'parent']
  const started = await git.run(alias)
  expect(started.stdout.split(/\s+/).map(Number)).toEqual(expect.arrayContaining(launchersOf(process.pid)))
  expect(launchersOf(process.pid)).toHaveLength(1)

  const bytes = Buffer.from([0, 255, 128, 10])
  const stored = await git.run(['hash-object', '-w', '--stdin'], { stdin: bytes })
  const read = await git.run(['cat-file', 'blob', stored.stdout.trim()])
  expect(read.bytes.equals(bytes)).toBe(true)
  expect((await git.run(['rev-parse', '--verify', 'nothing'], { ok: [128] })).stderr).toContain(
    'single revision',
  )
  await expect(git.run(['rev-parse', '--verify', 'nothing'])).rejects.toMatchObject({
    kind: 'git',
    message: expect.stringContaining('exit 128'),
  })
  await expect(git.run(['status'], { cwd: join(repository, 'nowhere') })).rejects.toThrow('does not exist')
  await expect(git.run(['status'], { env: { PATH: '/nowhere' } })).rejects.toMatchObject({
    hint: expect.stringContaining('Install git'),
  })
})

test('a small process that is killed is replaced, and whoever only looks gets its answer', async () => {
  const { git, repository } = setUp()
  await git.run(['rev-parse', 'HEAD'])
  const [first = 0] = launchersOf(process.pid)
  const command = 'i=0; while [ -e "$1" ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done; cat'
  const flag = join(repository, '.git/wait')
  writeFileSync(flag, '')
  const change = git.run(['-c', `alias.wait=!sh -c '${command}' sh ${flag}`, 'wait'])
  const changed = expect(change).rejects.toMatchObject({ kind: 'git_killed' })
  const look = git.run(['rev-parse', 'HEAD'])
  process.kill(first, 'SIGKILL')
  await changed
  await expect(look).resolves.toMatchObject({ code: 0 })
  const [second = 0] = launchersOf(process.pid)
  expect(second).not.toBe(first)
})

test('the small process ends with whoever it starts git for, also when that is killed', async () => {
  const { repository } = setUp()
  const owner = `
    import { openGit } from ${JSON.stringify(new URL('./git.ts', import.meta.url).href)}
    import { useGitLauncher } from ${JSON.stringify(new URL('./git-launcher.ts', import.meta.url).href)}
    useGitLauncher()
    const git = openGit({ repository: ${JSON.stringify(repository)}, env: { PATH: process.env.PATH } })
    console.log((await git.run(['rev-parse', 'HEAD'])).stdout)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', owner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const [launcher = 0] = launchersOf(child.pid ?? 0)
  expect(launcher).toBeGreaterThan(0)
  process.kill(launcher, 'SIGTERM')
  process.kill(launcher, 'SIGINT')
  child.kill('SIGKILL')
  await expect.poll(() => isThere(launcher)).toBe(false)
})

function isThere(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
