// The parts of the sandbox by themselves: arguments, tool chain, environment, left-overs, words for a refusal.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { notRun } from '@treadle/requirements/not-run'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confine } from './confine.ts'
import { confinedEnv } from './environment.ts'
import { findLendable } from './lend.ts'
import { explainRefusal } from './probe.ts'
import { Runtime, sweepLeftovers } from './runtime.ts'
import { closedIn, masksFor, stateFolders } from './secrets.ts'
import { detectToolchain, installRoot } from './toolchain.ts'
import { bubblewrapArgs, type View } from './view.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-parts-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text = ''): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const VIEW: View = {
  worktree: { from: '/w/.treadle/worktrees/a', at: '/home/u/project' },
  isReadOnly: false,
  cwd: '/home/u/project/packages/a',
  empty: [],
  show: [{ from: '/usr', at: '/usr' }],
  writable: [{ from: '/cache', at: '/home/u/.cache/x' }],
  links: [{ to: 'usr/bin', at: '/bin' }],
  hide: [{ path: '/usr/secret', is: 'file' }],
  sockets: [],
  network: 'own',
  home: '/home/u',
  proc: 'fresh',
  isRoot: true,
  tmpBytesMax: 1_000,
  unset: ['TREADLE_AGENT'],
}

test('arguments: no capability is left, parents come before what lies in them, the root is closed last', () => {
  const args = bubblewrapArgs(VIEW)
  const line = args.join(' ')
  expect(line).toContain('--cap-drop ALL --die-with-parent --new-session')
  expect(line).toContain('--unshare-net')
  expect(line).toContain('--ro-bind-try /proc/sys /proc/sys')
  const order = [
    '--tmpfs /home/u ',
    '--bind /w/.treadle/worktrees/a /home/u/project',
    '--bind /cache /home/u/.cache/x',
  ]
  const places = order.map((words) => line.indexOf(words))
  expect(places.every((place) => place > 0)).toBe(true)
  expect([...places].sort((a, b) => a - b)).toEqual(places)
  expect(line.indexOf('--ro-bind /dev/null /usr/secret')).toBeGreaterThan(line.indexOf('--ro-bind /usr /usr'))
  expect(args.slice(-7)).toEqual([
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    '/home/u/project/packages/a',
    '--',
  ])
  expect(bubblewrapArgs({ ...VIEW, isRoot: false, network: 'host' }).join(' ')).not.toMatch(
    /unshare-net|proc\/sys/,
  )
})

test.each([
  ['/opt/tool/bin/x', '/opt/tool'],
  ['/opt/bin/x', '/opt/bin'],
  ['/home/u/.nvm/versions/node/v24/bin/node', '/home/u/.nvm/versions/node/v24'],
  ['/home/u/.local/bin/x', '/home/u/.local/bin'],
  ['/home/u/bin/x', '/home/u/bin'],
  ['/home/u/a/node_modules/.bin/x', '/home/u/a/node_modules'],
])('%s needs %s', (program, root) => {
  expect(installRoot(program, '/home/u')).toBe(root)
})

test('the tool chain: what PATH and its links lead to and the caches, never the home or what is out of sight', () => {
  const home = join(folder, 'home')
  write('home/.tool/bin/run')
  write('opt/browser/browser')
  write('home/.npm/cached')
  write('home/checkout/node_modules/.bin/x')
  write('home/.ssh/id')
  symlinkSync(join(folder, 'opt/browser/browser'), join(home, '.tool/bin/browser'))
  const path = [
    join(home, '.tool/bin'),
    join(home, 'checkout/node_modules/.bin'),
    home,
    '/usr/bin',
    'relative',
  ]
  const machine = { home, env: { PATH: path.join(':') }, programs: [] }
  const never = [join(home, 'checkout'), join(home, '.ssh')]
  const { show } = detectToolchain({ ...machine, never, show: [home, folder, join(home, '.ssh/id')] })
  const found = show.filter((each) => each.startsWith(folder)).sort()
  expect(found).toEqual([join(home, '.npm'), join(home, '.tool'), join(folder, 'opt/browser')].sort())
  expect(show).toContain('/usr')
  // A new link in a folder of PATH is noticed.
  write('opt/other/program')
  symlinkSync(join(folder, 'opt/other/program'), join(home, '.tool/bin/other'))
  expect(detectToolchain({ ...machine, never, show: [] }).show).toContain(join(folder, 'opt/other'))
})

test('a secret is covered wherever a bind shows it, and not where it was bound by its own name', () => {
  const key = write('shown/deep/key')
  const binds = [
    { from: join(folder, 'shown'), at: '/a' },
    { from: join(folder, 'shown/deep'), at: '/b' },
    { from: key, at: '/c' },
  ]
  expect(masksFor([key, join(folder, 'shown/none')], binds)).toEqual([
    { path: '/a/deep/key', is: 'file' },
    { path: '/b/key', is: 'file' },
  ])
  expect(stateFolders(['/p/.treadle/worktrees/a'])).toEqual([
    '/p/.treadle/worktrees/a/.treadle',
    '/p/.treadle',
  ])
})

test('the environment: names on the list and what was handed in, never a way to keys', () => {
  const env = {
    PATH: '/usr/bin',
    SSH_AUTH_SOCK: '/run/agent',
    TREADLE_OWNER_KEY_FILE: '/key',
    GITHUB_TOKEN: 'x',
    MY_SECRET: 'x',
  }
  expect(confinedEnv(env)).toEqual({ PATH: '/usr/bin' })
  expect(confinedEnv(env, { OPENAI_API_KEY: 'k', SSH_AUTH_SOCK: '/run/agent' })).toEqual({
    PATH: '/usr/bin',
    OPENAI_API_KEY: 'k',
  })
})

test('packages are found at the root and in each package of a workspace', () => {
  write('node_modules/a/node_modules/b/index.js')
  write('packages/x/node_modules/c/index.js')
  write('.venv/pyvenv.cfg')
  write('venv/readme')
  write('.treadle/worktrees/w/node_modules/d/index.js')
  expect(findLendable(folder).sort()).toEqual(['.venv', 'node_modules', 'packages/x/node_modules'])
})

test('a mount point goes with the last who uses it, a link comes back, and work is never removed', () => {
  const [one, two] = [new Runtime(), new Runtime()]
  const made = join(folder, 'node_modules')
  const linked = join(folder, 'linked')
  symlinkSync('/nowhere', linked)
  write('full/file')
  expect([made, linked, join(folder, 'full')].map((path) => one.mountPoint(path))).toEqual([
    true,
    true,
    false,
  ])
  expect(two.mountPoint(made)).toBe(true)
  one.close()
  expect([existsSync(made), lstatSync(linked).isSymbolicLink()]).toEqual([true, true])
  two.close()
  two.close()
  expect([existsSync(made), existsSync(one.folder), existsSync(two.folder)]).toEqual([false, false, false])
})

test('a sweep removes what a process that is gone has left, and nothing of one that lives', () => {
  const runtime = new Runtime()
  const point = join(folder, 'w/node_modules')
  mkdirSync(point, { recursive: true })
  const record = [
    { path: point, link: null },
    { path: join(folder, 'full'), link: null },
  ]
  write('full/file')
  write(
    'treadle-sandbox-999999999-0000_1-AbC/mount-points',
    record.map((each) => JSON.stringify(each)).join('\n'),
  )
  write('something-else/file')
  expect(sweepLeftovers(folder)).toEqual([join(folder, 'treadle-sandbox-999999999-0000_1-AbC')])
  expect([point, join(folder, 'full/file'), join(folder, 'something-else')].map(existsSync)).toEqual([
    false,
    true,
    true,
  ])
  expect(sweepLeftovers(dirname(runtime.folder))).not.toContain(runtime.folder)
  expect(existsSync(runtime.folder)).toBe(true)
  runtime.close()
})

test('settings that are not for everybody are found, and what is in a covered folder is covered once', () => {
  write('etc/open/file')
  chmodSync(write('etc/open/key'), 0o640)
  chmodSync(dirname(write('etc/shut/file')), 0o750)
  const [key, shut] = [join(folder, 'etc/open/key'), join(folder, 'etc/shut')]
  expect(closedIn(join(folder, 'etc')).sort()).toEqual([key, shut])
  const bind = { from: folder, at: '/shown' }
  expect(masksFor([shut, join(shut, 'file')], [bind])).toEqual([{ path: '/shown/etc/shut', is: 'folder' }])
})

test('no mount point is made, and none is removed, behind a link', () => {
  const runtime = new Runtime()
  write('tree/packages/a/file')
  mkdirSync(join(folder, 'elsewhere'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'tree/packages/b'))
  symlinkSync('/nowhere', join(folder, 'tree/packages/a/node_modules'))
  expect(runtime.mountPoint(join(folder, 'tree/packages/b/node_modules'))).toBe(false)
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
  expect(runtime.mountPoint(join(folder, 'tree/packages/a/node_modules'))).toBe(true)
  // What is inside may move the folders around a mount, and put a link in their place.
  renameSync(join(folder, 'tree/packages/a'), join(folder, 'tree/packages/moved'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'tree/packages/a'))
  mkdirSync(join(folder, 'elsewhere/node_modules'))
  runtime.close()
  expect(lstatSync(join(folder, 'elsewhere/node_modules')).isDirectory()).toBe(true)
})

test('a record that another user left in the temporary folder moves nothing', (context) => {
  if (process.getuid?.() !== 0) notRun(context, 'this is not root', 'run it as root')
  mkdirSync(join(folder, 'empty'))
  const name = 'treadle-sandbox-999999999-0000_1-AbC'
  write(`${name}/mount-points`, JSON.stringify({ path: join(folder, 'empty'), link: '/elsewhere' }))
  chownSync(join(folder, name), 65_534, 65_534)
  expect(sweepLeftovers(folder)).toEqual([])
  expect([lstatSync(join(folder, 'empty')).isDirectory(), existsSync(join(folder, name))]).toEqual([
    true,
    true,
  ])
})

const PLAIN = { usernsClone: null, maxUserNamespaces: '100', appArmorRestricts: null, isContainer: false }
test.each([
  ['No permissions to create new namespace', { isContainer: true }, /container/, /security-opt/],
  ['setting up uid map: Permission denied', { appArmorRestricts: '1' }, /AppArmor/, /bwrap-userns-restrict/],
  ['loopback: Failed RTM_NEWADDR', { appArmorRestricts: '1' }, /AppArmor/, /bwrap-userns-restrict/],
  ['Creating new namespace failed', { usernsClone: '0' }, /forbidden/, /unprivileged_userns_clone=1/],
  ['Creating new namespace failed', { maxUserNamespaces: '0' }, /forbidden/, /max_user_namespaces/],
  ['something else', {}, /something else/, /user namespaces/],
])('%s is explained', (said, facts, why, hint) => {
  const explained = explainRefusal(said, { ...PLAIN, ...facts })
  expect(explained.why).toMatch(why)
  expect(explained.hint).toMatch(hint)
})

test.each([
  ['auto', { is: 'ready', isConfined: false, warning: expect.stringContaining('not confined') }],
  ['required', { is: 'refused', why: expect.stringContaining('apt-get install bubblewrap') }],
] as const)('without bubblewrap and %s', async (mode, expected) => {
  const wanted = {
    mode,
    purpose: 'engine',
    argv: ['/bin/true'],
    cwd: folder,
    network: 'own',
    env: {},
  } as const
  expect(await confine({ ...wanted, bwrap: join(folder, 'no-such-bwrap') })).toMatchObject(expected)
})

test('off: the command line stays as it is, and the keys stay away', async () => {
  const wanted = {
    mode: 'off',
    purpose: 'engine',
    argv: ['claude', '-p'],
    cwd: folder,
    network: 'host',
  } as const
  const found = await confine({ ...wanted, env: { PATH: '/bin', SSH_AUTH_SOCK: '/run/agent' } })
  expect(found).toMatchObject({ is: 'ready', argv: ['claude', '-p'], warning: null, env: { PATH: '/bin' } })
  expect(found).not.toHaveProperty('env.SSH_AUTH_SOCK')
})
