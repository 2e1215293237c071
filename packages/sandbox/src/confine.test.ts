// Real bubblewrap, as root and as an ordinary user: what is confined reads no secret, gets out by no door, and leaves nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needSandbox } from './testing/need-sandbox.ts'
import { Stage, USERS } from './testing/users.ts'

describe.each(USERS)('as %s', (name, before) => {
  let stage: Stage
  beforeEach(() => {
    stage = new Stage(before)
  })
  afterEach(() => stage.close())

  const SECRETS = [
    'home/.ssh/id_ed25519',
    'home/.aws/credentials',
    'home/.npmrc',
    'home/.bash_history',
    'home/.config/gh/hosts.yml',
    'home/.config/treadle/owner.key',
    'home/.claude/.credentials.json',
    'home/.git-credentials',
    'home/project/.treadle/token',
    'home/other/notes.txt',
  ]

  test('keys, logins, history, the token and other folders are not there', async (context) => {
    if (!(await needSandbox(context))) return
    const paths = SECRETS.map((path) => stage.write(path, `SECRET of ${path}\n`))
    const line = `for file in ${paths.join(' ')} /etc/shadow; do head -c 100 $file; done; true`
    expect(stage.outside(line).match(/SECRET/g)).toHaveLength(paths.length)
    const { stdout } = stage.inside(`${line}; echo; ls -A ~ ~/project`)
    expect(stdout).not.toContain('SECRET')
    expect(stdout).not.toMatch(/root:/)
    // The covered folder is seen to be there, and the home holds nothing but the way to the worktree.
    expect(stdout.split('\n').filter((text) => /^\w|^\./.test(text))).not.toContain('.ssh')
  })

  test('a home inside the workspace is hidden all the same, and so is what is shown by the owner', async (context) => {
    if (!(await needSandbox(context))) return
    const key = stage.write('home/project/me/.config/treadle/owner.key', 'SECRET\n')
    const login = stage.write('home/project/me/.npmrc', 'SECRET\n')
    const env = { HOME: join(stage.root, 'me') }
    const { stdout } = stage.inside(`cat ${key} ${login} 2>&1; echo ok > a; cat a`, { env })
    expect(stdout).not.toContain('SECRET')
    expect(stdout).toContain('ok')
    stage.write('home/.config/gh/hosts.yml', 'SECRET\n')
    stage.write('home/.config/tool/settings', 'harmless\n')
    stage.write('home/other/.treadle/token', 'SECRET\n')
    stage.write('home/tools/.env', 'SECRET\n')
    stage.write('home/tools/bin/tool', '')
    const PATH = `${stage.home}/tools/bin:${stage.env.PATH}`
    const besides = stage.inside('cat ~/other/.treadle/token ~/tools/.env; ls ~/tools/bin', {
      show: ['~/other'],
      env: { PATH },
    })
    expect(besides.stdout).toBe('tool\n')
    stage.write('home/.ssh/id', 'SECRET\n')
    stage.outside('ln -s ~/.config ../config; ln -s ~ ../all; ln -s ~/.ssh ../ssh')
    const linked = ['config', 'all', 'ssh'].map((name) => join(stage.home, name))
    const through = stage.inside(
      'cd ~; cat config/gh/* all/.config/gh/* all/.ssh/* ssh/*; cat config/tool/*',
      {
        show: linked,
      },
    )
    expect(through.stdout).toBe('harmless\n')
    const shown = stage.inside('cat ~/.config/gh/* ~/.config/tool/*', { show: ['~/.config'] })
    expect(shown.stdout).toBe('harmless\n')
  })

  test('nothing gets out: no capability, no mount, no device, no other namespace, no switch of the kernel', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/project/.treadle/token', 'SECRET\n')
    const line = [
      'grep CapEff /proc/self/status',
      'mount -o remount,rw,bind /usr && echo THROUGH',
      `umount -l ${stage.root}/.treadle && echo THROUGH`,
      'umount -l /tmp && echo THROUGH',
      'mknod /tmp/disk b 254 0 && echo THROUGH',
      'chroot / true && echo THROUGH',
      'nsenter -t 1 -m true && echo THROUGH-NSENTER',
      'unshare -Urm umount -l /tmp && echo THROUGH',
      '(: >> /proc/sys/kernel/core_pattern) && echo THROUGH',
      '(: >> /proc/sysrq-trigger) && echo THROUGH',
      'touch /usr/x /etc/x /x && echo THROUGH',
      `cat ${stage.root}/.treadle/token`,
      'true',
    ].join('\n')
    const { stdout, status } = stage.inside(line)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^CapEff:\s+0000000000000000$/m)
    expect(stdout).not.toMatch(/THROUGH|SECRET/)
  })

  test('it is the dropped capabilities that hold root, and a hidden file would be uncovered without', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/project/.treadle/token', 'SECRET\n')
    const line = `umount -l ${stage.root}/.treadle; cat ${stage.root}/.treadle/token`
    const { stdout } = stage.inside(line, { drop: ['--cap-drop', 'ALL'] })
    expect(stdout).toBe(name === 'root' ? 'SECRET\n' : '')
  })

  test('no open file of whoever started it, and no memory without a bound', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/other/notes.txt', 'SECRET\n')
    // As a terminal or an editor hands on what it has open.
    const around = ['/bin/bash', '-c', 'exec 40<"$0"; exec "$@"', join(stage.home, 'other')]
    const line =
      'cat /proc/self/fd/40/notes.txt; echo shm > /dev/shm/a && cat /dev/shm/a; touch /dev/a && echo THROUGH; echo x > /dev/null && echo ok'
    const { stdout } = stage.start(['/bin/sh', '-c', line], { around })
    expect(stdout).toBe('shm\nok\n')
  })

  test('the kernel keyrings are shut off', async (context) => {
    if (!(await needSandbox(context))) return
    const calls: Record<string, number> = { x64: 250, arm64: 219 }
    const number = calls[process.arch] ?? 219
    const line = `perl -e 'print syscall(${number}, 0, -4, 0) < 0 ? "errno " . ($! + 0) : "reached"'`
    expect(stage.outside(line)).toBe('reached')
    expect(stage.inside(line).stdout).toBe('errno 38')
  })

  test('a process that left its session and cleared its environment ends with the program', async (context) => {
    if (!(await needSandbox(context))) return
    const mark = `98${process.pid}${name.length}`
    stage.inside(`setsid -f env -i /bin/sleep ${mark}; sleep 0.2`)
    const alive = () => Number(stage.outside(`ps axo args | grep -c '^/bin/[s]leep ${mark}' || true`))
    await expect.poll(alive).toBe(0)
  })

  test('a process outside, of the same user, can be neither seen nor ended', async (context) => {
    if (!(await needSandbox(context))) return
    const pid = stage.outside('sleep 600 >/dev/null 2>&1 & echo $!').trim()
    const look = `kill -0 ${pid} && echo reached; cat /proc/${pid}/environ >/dev/null 2>&1 && echo seen; true`
    try {
      expect(stage.outside(look)).toBe('reached\nseen\n')
      expect(stage.inside(`${look}; kill -9 ${pid}; true`).stdout).toBe('')
      expect(stage.outside(look)).toBe('reached\nseen\n')
    } finally {
      stage.outside(`kill -9 ${pid}`)
    }
  })

  test('the loopback of the machine is out of reach; its own works', async (context) => {
    if (!(await needSandbox(context))) return
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const ask = (at: string) =>
      `require('net').connect(${at}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`
    const own = `const s = require('net').createServer((c) => c.end('own')).listen(0, '127.0.0.1', () => { ${ask('s.address().port')}.on('close', () => s.close()) })`
    const script = stage.write('home/project/ask.js', `${ask(String(port))};${own}`)
    const command = (network: 'own' | 'host') =>
      startRunner(stage, before, [process.execPath, script], network)
    try {
      expect((await command('own')).split('\n').sort()).toEqual(['', 'ECONNREFUSED', 'own'])
      expect((await command('host')).split('\n').sort()).toEqual(['', 'own', 'reached'])
    } finally {
      server.close()
    }
  })

  test('sockets without a file are out of reach, but for what has the network of the machine', async (context) => {
    if (!(await needSandbox(context))) return
    const at = `treadle-${process.pid}-${name.length}`
    const server = createServer((socket) => socket.end('reached')).listen(`\0${at}`)
    await once(server, 'listening')
    const ask = `require('net').connect('\\0${at}').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`
    const script = stage.write('home/project/ask.js', ask)
    const command = (network: 'own' | 'host') =>
      startRunner(stage, before, [process.execPath, script], network)
    try {
      expect(await command('own')).toBe('ECONNREFUSED\n')
      expect(await command('host')).toBe('reached\n')
    } finally {
      server.close()
    }
  })

  test.for([
    ['spaces and quotes', `my "own" 'project' $(touch THROUGH) \`touch THROUGH\``],
    ['a dash in front', '--ro-bind'],
    ['a line break', 'two\nlines'],
    ['letters of every kind', 'prøjekt 工程 🧵'],
  ])('a path with %s means what it says', async ([, odd], context) => {
    if (!(await needSandbox(context))) return
    const secret = stage.write(`home/${odd}/.treadle/token`, 'SECRET\n')
    const cwd = dirname(dirname(secret))
    stage.write(`home/${odd}/a.txt`, 'right\n')
    const { stdout } = stage.inside('pwd; cat a.txt; cat .treadle/token; echo new > b.txt; ls -A', { cwd })
    expect(stdout).toBe(`${cwd}\nright\n.treadle\na.txt\nb.txt\n`)
    expect(stage.outside('cat b.txt', cwd)).toBe('new\n')
    expect(existsSync(join(stage.root, 'THROUGH'))).toBe(false)
  })

  test('git works inside, and the repository does not notice', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/project/a.txt', 'one\n')
    const identity = '-c user.name=t -c user.email=t@example.org'
    stage.outside(`git init -q -b main . && git add -A && git ${identity} commit -qm first`)
    stage.outside('git config remote.origin.url https://token:SECRET@example.org/x && git branch other')
    stage.outside('git worktree add -q .treadle/worktrees/w -b w')
    const worktree = join(stage.root, '.treadle/worktrees/w')
    const line = `git log --format=%s; echo two > b.txt; git add -A; git ${identity} commit -qm second; git log --format=%s; git status --short; git branch -a; git config -l; git stash list`
    for (const cwd of [worktree, stage.root]) {
      const { stdout, status } = stage.inside(line, { cwd })
      expect(status).toBe(0)
      expect(stdout).toMatch(/^first\nsecond\nfirst\n/)
      expect(stdout).not.toMatch(/SECRET|other/)
      expect(stage.outside('git log --format=%s', cwd)).toBe('first\n')
      expect(stage.outside('git status --short', cwd)).toMatch(/^\?\? b.txt$/m)
    }
    expect(stage.outside('git fsck 2>&1; git count-objects')).toMatch(/^\d+ objects/m)
  })

  test('at the path of the owner the worktree is what runs, with lent packages and links back into it', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/project/packages/lib/index.js', 'module.exports = "whole"\n')
    stage.write('home/project/test.js', 'console.log(require("@p/lib"), require("dep"))\n')
    stage.write('home/project/node_modules/dep/index.js', 'module.exports = "lent"\n')
    stage.outside('mkdir -p node_modules/@p && ln -s ../../packages/lib node_modules/@p/lib')
    const worktree = join(stage.root, '.treadle/worktrees/w')
    stage.write('home/project/.treadle/worktrees/w/packages/lib/index.js', 'module.exports = "sabotaged"\n')
    stage.write(
      'home/project/.treadle/worktrees/w/test.js',
      'console.log(require("@p/lib"), require("dep"))\n',
    )
    expect(stage.outside(`${process.execPath} test.js`)).toBe('whole lent\n')
    const at = { cwd: worktree, at: stage.root, lend: { from: stage.root, names: ['node_modules'] } }
    const inside = stage.inside(
      'pwd; node test.js; node -e "require(process.argv[1])" $PWD/test.js; touch node_modules/x',
      at,
    )
    expect(inside.stdout).toBe(`${stage.root}\nsabotaged lent\nsabotaged lent\n`)
    expect(inside.stderr).toContain('Read-only file system')
    expect(existsSync(join(worktree, 'node_modules'))).toBe(false)
  })

  test('a tool that writes below lent packages has an empty folder there, and the packages stay as they are', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/project/node_modules/vitest/index.js', '')
    stage.write('home/project/node_modules/.vite/deps/old.js', 'old\n')
    stage.write('home/project/.treadle/worktrees/w/test.js', '')
    const cwd = join(stage.root, '.treadle/worktrees/w')
    const line =
      'cd node_modules; mkdir -p .vite-temp .vite/vitest && echo new > .vite-temp/config.mjs && ls -A .vite; touch vitest/x; touch x'
    for (const at of [
      { cwd, at: stage.root, lend: { from: stage.root, names: ['node_modules'] } },
      { cwd, mirror: { at: stage.root, names: ['node_modules'] } },
    ]) {
      const isMirror = 'mirror' in at
      const inside = stage.inside(isMirror ? `cd ${stage.root}; ${line}` : line, at)
      expect(inside.stdout).toBe('vitest\n')
      expect(inside.stderr.match(/Read-only file system/g)).toHaveLength(2)
    }
    expect(readdirSync(join(stage.root, 'node_modules/.vite-temp'))).toEqual([])
    expect(readdirSync(join(stage.root, 'node_modules/.vite'))).toEqual(['deps'])
  })

  test('at its own path the worktree also stands in the place of the checkout around it', async (context) => {
    if (!(await needSandbox(context))) return
    stage.write('home/project/packages/lib/index.js', 'module.exports = "whole"\n')
    stage.write('home/project/node_modules/dep/index.js', 'module.exports = "lent"\n')
    stage.outside('mkdir -p node_modules/@p && ln -s ../../packages/lib node_modules/@p/lib')
    stage.write('home/project/.treadle/token', 'SECRET\n')
    const cwd = join(stage.root, '.treadle/worktrees/w')
    stage.write('home/project/.treadle/worktrees/w/packages/lib/index.js', 'module.exports = "changed"\n')
    stage.write(
      'home/project/.treadle/worktrees/w/test.js',
      'console.log(require("@p/lib"), require("dep"))\n',
    )
    const line = `pwd; node test.js; cat ${stage.root}/packages/lib/index.js ${stage.root}/.treadle/token; ls ${stage.root}/.treadle; mkdir -p node_modules/own; touch ${stage.root}/x`
    const inside = stage.inside(line, { cwd, mirror: { at: stage.root, names: ['node_modules'] } })
    expect(inside.stdout).toBe(`${cwd}\nchanged lent\nmodule.exports = "changed"\nworktrees\n`)
    expect(inside.stderr).toContain('Read-only file system')
    expect(readdirSync(cwd).sort()).toEqual(['node_modules', 'packages', 'test.js'])
    expect(existsSync(join(stage.root, 'x'))).toBe(false)
  })

  test('where a fresh /proc is refused the outer one is used, and nothing else changes', async (context) => {
    if (!(await needSandbox(context))) return
    // As a container does it: a part of /proc is covered, and the kernel gives no whole one any more.
    const around = ['unshare', '-Urm', '--pid', '--fork', '--mount-proc', '/bin/sh', '-c']
    const cover = 'mount -t tmpfs tmpfs /proc/tty && exec "$@"'
    stage.write('home/.ssh/id', 'SECRET')
    const ended = stage.start(
      ['/bin/sh', '-c', 'echo ok; cat ~/.ssh/id; (: >> /proc/sys/kernel/core_pattern) && echo THROUGH'],
      {
        around: [...around, cover, 'sh'],
      },
    )
    expect(ended).toMatchObject({ proc: 'outer', stdout: 'ok\n' })
  })
})

/** Without blocking this process, which answers over the network. */
async function startRunner(
  stage: Stage,
  before: readonly string[],
  argv: readonly string[],
  network: 'own' | 'host',
): Promise<string> {
  const runner = join(import.meta.dirname, 'testing/run-confined.ts')
  const { env, root: cwd } = stage
  const wanted = JSON.stringify({ mode: 'required', purpose: 'test', argv, cwd, network, env })
  const [program = '', ...args] = [...before, process.execPath, runner, wanted]
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  await once(child, 'close')
  return JSON.parse(text).stdout
}
