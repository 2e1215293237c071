// Tests see the change, never the owner's checkout, in the sandbox and without one.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openGates } from '@treadle/gates/gates'
import { notRun } from '@treadle/requirements/not-run'
import { probeSandbox } from '@treadle/sandbox/probe'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnv } from '../env.ts'

const timeoutMs = 120_000
const PYTHON = '/usr/bin/python3'

interface Project {
  readonly owner: string
  readonly tree: string
  readonly command: string
  readonly source: string
  /** What a sabotaged source says. */
  readonly broken: string
}

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-tree-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function project(files: Readonly<Record<string, string>>, install: (owner: string) => void) {
  const owner = join(folder(), 'owner')
  for (const [name, text] of Object.entries({ '.gitignore': 'node_modules\n.venv\n.treadle\n', ...files })) {
    mkdirSync(dirname(join(owner, name)), { recursive: true })
    writeFileSync(join(owner, name), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: owner })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'start')
  install(owner)
  const tree = join(owner, '.treadle/worktrees/agent-1')
  mkdirSync(dirname(tree), { recursive: true })
  writeFileSync(join(owner, '.treadle/token'), 'the crew key')
  git('worktree', 'add', '-q', tree, '-b', 'work')
  return { owner, tree }
}

const nodeTest = (from: string, what: string) =>
  `const { test } = require('node:test')\ntest('twice', () => require('node:assert').equal(require('${from}').${what}(), 84))\n`

/** An npm workspace: links below node_modules lead into the checkout. */
function npmWorkspace(): Project {
  const made = project(
    {
      'package.json': '{"name":"p","private":true,"workspaces":["packages/*"]}',
      'packages/lib/package.json': '{"name":"@p/lib","main":"index.js"}',
      'packages/lib/index.js': 'module.exports.twice = () => 84\n',
      'test/lib.test.js': nodeTest('@p/lib', 'twice'),
    },
    (owner) => {
      mkdirSync(join(owner, 'node_modules/@p'), { recursive: true })
      symlinkSync('../../packages/lib', join(owner, 'node_modules/@p/lib'))
    },
  )
  const source = 'packages/lib/index.js'
  return { ...made, command: 'node --test', source, broken: 'module.exports.twice = () => 0\n' }
}

/** As pnpm links them: in each package, relative to it. */
function pnpmWorkspace(): Project {
  const made = project(
    {
      'package.json': '{"name":"p","private":true}',
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
      'packages/lib/package.json': '{"name":"@p/lib","main":"index.js"}',
      'packages/lib/index.js': 'module.exports.twice = () => 84\n',
      'packages/app/package.json': '{"name":"@p/app","dependencies":{"@p/lib":"workspace:*"}}',
      'packages/app/lib.test.js': nodeTest('@p/lib', 'twice'),
    },
    (owner) => {
      mkdirSync(join(owner, 'packages/app/node_modules/@p'), { recursive: true })
      symlinkSync('../../../lib', join(owner, 'packages/app/node_modules/@p/lib'))
    },
  )
  const source = 'packages/lib/index.js'
  return {
    ...made,
    command: 'node --test packages/app/lib.test.js',
    source,
    broken: 'module.exports.twice = () => 0\n',
  }
}

/** Says where packages are, and has them found, in the form of Yarn's own file. */
const PLUG_N_PLAY = `const RAW_RUNTIME_STATE = '{\\
  "packageRegistryData": [\\
    ["@p/lib", [["workspace:packages/lib", {"packageLocation": "./.yarn/__virtual__/lib/1/packages/lib/"}]]],\\
    ["far", [["npm:1.0.0", {"packageLocation": "./.yarn/unplugged/far/"}]]]\\
  ]\\
}';
const Module = require('node:module')
const { join } = require('node:path')
const known = JSON.parse(RAW_RUNTIME_STATE).packageRegistryData
const at = Object.fromEntries(known.map(([name, [[, { packageLocation }]]]) => [name, packageLocation]))
const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  return resolve.call(this, at[name] ? join(__dirname, at[name].replace(/__virtual__.*1.packages/, '../packages')) : name, ...rest)
}
`

/** Yarn's Plug'n'Play, with nothing of it committed. */
function plugNPlay(): Project {
  const made = project(
    {
      '.gitignore': '.pnp.*\n.yarn\n.treadle\n',
      'package.json': '{"name":"p","private":true,"workspaces":["packages/*"]}',
      'packages/lib/package.json': '{"name":"@p/lib","main":"index.js"}',
      'packages/lib/index.js': "module.exports.twice = () => 2 * require('far')\n",
      'test/lib.test.js': nodeTest('@p/lib', 'twice'),
    },
    (owner) => {
      mkdirSync(join(owner, '.yarn/unplugged/far'), { recursive: true })
      writeFileSync(join(owner, '.yarn/unplugged/far/index.js'), 'module.exports = 42\n')
      writeFileSync(join(owner, '.pnp.cjs'), PLUG_N_PLAY)
    },
  )
  const source = 'packages/lib/index.js'
  const broken = "module.exports.twice = () => 0 * require('far')\n"
  return { ...made, command: 'NODE_OPTIONS="--require ./.pnp.cjs" node --test', source, broken }
}

/** A `file:` dependency by an absolute link. */
function fileDependency(): Project {
  const made = project(
    {
      'package.json': '{"name":"p","dependencies":{"lib":"file:./lib"}}',
      'lib/package.json': '{"name":"lib","main":"index.js"}',
      'lib/index.js': 'module.exports.twice = () => 84\n',
      'test/lib.test.js': nodeTest('lib', 'twice'),
    },
    (owner) => {
      mkdirSync(join(owner, 'node_modules'))
      symlinkSync(join(owner, 'lib'), join(owner, 'node_modules/lib'))
    },
  )
  return {
    ...made,
    command: 'node --test',
    source: 'lib/index.js',
    broken: 'module.exports.twice = () => 0\n',
  }
}

/** A virtual environment with an editable install, as `pip install -e .` leaves it. */
function pythonEditable(): Project {
  const made = project(
    {
      'src/pk/__init__.py': 'def twice(): return 84\n',
      'check.py':
        'import unittest\nfrom pk import twice\nclass T(unittest.TestCase):\n    def test_twice(self): self.assertEqual(twice(), 84)\n',
    },
    (owner) => {
      execFileSync(PYTHON, ['-m', 'venv', '--without-pip', '.venv'], { cwd: owner })
      const site = execFileSync(join(owner, '.venv/bin/python'), [
        '-c',
        'import sysconfig; print(sysconfig.get_paths()["purelib"])',
      ])
      writeFileSync(join(site.toString().trim(), '__editable__.pk.pth'), `${owner}/src\n`)
    },
  )
  return {
    ...made,
    command: '.venv/bin/python -m unittest check',
    source: 'src/pk/__init__.py',
    broken: 'def twice(): return 0\n',
  }
}

const projects: [string, () => Project][] = [
  ['an npm workspace', npmWorkspace],
  ['a pnpm workspace', pnpmWorkspace],
  ['a file: dependency', fileDependency],
  ['Yarn’s Plug’n’Play', plugNPlay],
  ['a Python project with an editable install', pythonEditable],
]

async function gatesOf({ owner }: Project, mode: 'auto' | 'off' | 'required') {
  const home = folder()
  return openGates({
    evidenceDir: join(home, 'evidence'),
    env: cleanEnv(home),
    tailBytes: 8_000,
    surroundings: openSurroundings({ mode, owner, show: [] }),
  })
}

describe.each(['auto', 'off'] as const)('with the sandbox: %s', (mode) => {
  test.for(projects)(
    '%s: sabotage in the tree is red, the tree as it was is green',
    async ([, make], context) => {
      if (mode === 'auto' && !(await needSandbox(context))) return
      if (make === pythonEditable && !existsSync(PYTHON))
        notRun(context, 'python3 is not installed', 'python3')
      const made = make()
      const gates = await gatesOf(made, mode)
      const request = { cwd: made.tree, command: made.command, timeoutMs }
      expect(await gates.runTests(request)).toMatchObject({ is: 'passed' })
      expect(await gates.canary(request)).toEqual({ is: 'sees', file: made.source })
      writeFileSync(join(made.tree, made.source), made.broken)
      const red = await gates.runTests(request)
      expect(red).toMatchObject({ is: 'failed' })
      // The owner's copy is as it was, and green where it lies.
      expect(readFileSync(join(made.owner, made.source), 'utf8')).not.toBe(made.broken)
    },
  )
})

test.for([
  ['an npm workspace', npmWorkspace],
  ['Yarn’s Plug’n’Play', plugNPlay],
] as const)('%s that was run without a sandbox is run in one all the same', async ([, make], context) => {
  if (!(await needSandbox(context))) return
  const made = make()
  const request = { cwd: made.tree, command: made.command, timeoutMs }
  for (const mode of ['off', 'auto', 'off'] as const)
    expect(await (await gatesOf(made, mode)).runTests(request)).toMatchObject({ is: 'passed' })
})

test('what a gate runs in the sandbox sees neither the key of the crew nor its own place', async (context) => {
  if (!(await needSandbox(context))) return
  const made = npmWorkspace()
  const gates = await gatesOf(made, 'auto')
  const look = `pwd; env; cat .treadle/token; cat ${made.owner}/.treadle/token; ls -d ${made.tree}; exit 1`
  const found = await gates.runTests({ cwd: made.tree, command: look, timeoutMs })
  if (found.is !== 'failed') throw new Error('it was not run')
  const { tail } = found.evidence
  expect(tail.split('\n')[0]).toBe(made.owner)
  expect(tail).not.toContain('the crew key')
  expect(tail).not.toMatch(/TREADLE|\.treadle\/worktrees\/agent-1$/m)
})

test('required: a gate runs in a sandbox or not at all', async () => {
  const made = npmWorkspace()
  const gates = await gatesOf(made, 'required')
  const command = `touch ran; cat ${made.owner}/.treadle/token; exit 1`
  const run = gates.runTests({ cwd: made.tree, command, timeoutMs })
  const isConfined = (await probeSandbox()).is === 'bubblewrap'
  if (isConfined) expect(JSON.stringify(await run)).not.toContain('the crew key')
  else await expect(run).rejects.toThrow('sandbox.mode is required, but bubblewrap is not installed')
  expect(existsSync(join(made.tree, 'ran'))).toBe(isConfined)
})

test('the file and line of a failing test are those of the tree', async (context) => {
  if (!(await needSandbox(context))) return
  const made = npmWorkspace()
  const gates = await gatesOf(made, 'auto')
  writeFileSync(join(made.tree, made.source), made.broken)
  const found = await gates.runTests({ cwd: made.tree, command: made.command, timeoutMs })
  expect(found).toMatchObject({ is: 'failed', failures: [{ file: 'test/lib.test.js' }] })
})
