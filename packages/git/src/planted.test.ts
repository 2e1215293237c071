// Whoever works in a worktree can write into the repository's git directory. None of it runs in our own commands.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from './git.ts'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, type Scratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const request = { branch: 'agent-1/project-7', base: 'main', fresh: false, keepRef: 'refs/treadle/kept/1' }

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  scratch.sh(
    `git clone -q --bare . '${scratch.dir}/origin.git'; git remote add origin '${scratch.dir}/origin.git'`,
  )
  const marks = join(scratch.dir, 'marks')
  mkdirSync(marks)
  /** A program that leaves a mark of its own and behaves like `cat`. */
  const program = (name: string): string => {
    const path = join(scratch.dir, `planted-${name}`)
    writeFileSync(path, `#!/bin/sh\n: > '${marks}/${name}'\ncat\n`)
    chmodSync(path, 0o755)
    return path
  }
  const next = commitOn(scratch, 'main', { 'a.txt': 'zero?\none\ntwo\nthree\n' })
  return { ...scratch, next, program, marked: () => readdirSync(marks).sort() }
}

/** Everything that Treadle does with git, on changed files of every kind. */
async function everything(scratch: Scratch & { readonly next: string }): Promise<void> {
  const { dir, write, next } = scratch
  const git = openWorktreeGit(scratch)
  const merge = openMergeGit(scratch)
  const path = join(dir, 'work')
  await git.latest('main', 10_000)
  await git.ensureWorktree({ ...request, path })
  write(join(path, 'a.txt'), 'one\ntwo\nthree\nfour\n')
  write(join(path, 'new.txt'), 'new\n')
  const checkpoint = await git.checkpoint(path, 'refs/treadle/c', 'c')
  write(join(path, 'a.txt'), 'zero\n')
  await git.restore(path, checkpoint, 'refs/treadle/d')
  await git.changedFiles(path, 'main')
  expect((await git.commit(path, 'm')).is).toBe('committed')
  await git.diff('main', request.branch)
  expect(await git.push(request.branch)).toEqual({ is: 'pushed' })
  // Both sides touch one file, so that a merge driver would be asked.
  const own = openGit(scratch)
  await own.run(['read-tree', '-m', '-u', 'main', next])
  await own.run(['update-ref', 'refs/heads/main', next])
  const prepared = await merge.prepareMerge({
    target: 'main',
    head: request.branch,
    message: 'Merge\n\nKind: merge',
    sign: true,
  })
  if (prepared.is !== 'prepared') throw new Error(prepared.is)
  await merge.withCheckout(prepared.commit, join(dir, 'merged'), async (at) => {
    expect(existsSync(join(at, 'new.txt'))).toBe(true)
  })
  expect((await merge.land('main', prepared.base, prepared.commit)).is).toBe('landed')
  await merge.signatureOf(prepared.commit)
  await merge.writeNote('refs/notes/treadle', prepared.commit, 'a receipt')
  await git.removeWorktree(path, request.keepRef)
  const merged = await own.run(['cat-file', 'blob', 'main:a.txt'])
  expect(merged.stdout).toBe('zero?\none\ntwo\nthree\nfour\n')
}

const planted: Record<string, (at: ReturnType<typeof setUp>) => string> = {
  'a filter, and attributes that ask for it': ({ program }) =>
    `[filter "x"]\n\tclean = ${program('clean')}\n\tsmudge = ${program('smudge')}\n\trequired = true\n`,
  'a filter process': ({ program }) => `[filter "x"]\n\tprocess = ${program('process')}\n`,
  'a merge driver': ({ program }) =>
    `[merge "x"]\n\tdriver = ${program('driver')} %A\n[merge]\n\tdefault = x\n`,
  'a diff driver': ({ program }) =>
    `[diff "x"]\n\ttextconv = ${program('textconv')}\n\tcommand = ${program('command')}\n[diff]\n\texternal = ${program('external')}\n`,
  'programs for signing': ({ program }) =>
    `[gpg]\n\tprogram = ${program('gpg')}\n[gpg "ssh"]\n\tprogram = ${program('gpgssh')}\n\tdefaultKeyCommand = ${program('keycommand')}\n[gpg "openpgp"]\n\tprogram = ${program('openpgp')}\n[user]\n\tsigningKey = ABCD\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n`,
  'programs of core': ({ program }) =>
    ['sshCommand', 'fsmonitor', 'pager', 'editor', 'askPass', 'gitProxy', 'alternateRefsCommand']
      .map((name) => `[core]\n\t${name} = ${program(name)}\n`)
      .join(''),
  'hooks elsewhere': ({ program, dir }) => {
    const folder = join(dir, 'hooks')
    mkdirSync(folder)
    for (const name of hooks) plantHook(join(folder, name), program(name))
    return `[core]\n\thooksPath = ${folder}\n`
  },
  'an included file': ({ program, dir, write }) => {
    write(join(dir, 'more'), `[filter "x"]\n\tclean = ${program('clean')}\n\tsmudge = ${program('smudge')}\n`)
    return `[include]\n\tpath = ${dir}/more\n[includeIf "gitdir:/"]\n\tpath = ${dir}/more\n`
  },
  'programs for what is far': ({ program }) =>
    `[credential]\n\thelper = !${program('helper')}\n[remote "origin"]\n\treceivepack = ${program('receivepack')}\n\tuploadpack = ${program('uploadpack')}\n\tvcs = planted\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n`,
  'another address for what is far': ({ program, dir }) =>
    `[url "ext::${program('ext')} "]\n\tinsteadOf = ${dir}/origin.git\n\tpushInsteadOf = ${dir}/origin.git\n[protocol "ext"]\n\tallow = always\n`,
  'names for commands': ({ program }) =>
    ['checkout', 'status', 'push', 'x'].map((name) => `[alias]\n\t${name} = !${program(name)}\n`).join(''),
  'settings of each worktree': ({ program, write, repository }) => {
    write(
      join(repository, '.git/config.worktree'),
      `[filter "x"]\n\tclean = ${program('clean')}\n\tsmudge = ${program('smudge')}\n`,
    )
    return '[extensions]\n\tworktreeConfig = true\n'
  },
}

const hooks = [
  'post-checkout',
  'pre-commit',
  'commit-msg',
  'post-commit',
  'post-merge',
  'pre-push',
  'reference-transaction',
  'post-index-change',
  'post-rewrite',
]

function plantHook(path: string, program: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\nexec ${program} </dev/null\n`)
  chmodSync(path, 0o755)
}

/** What is planted together: things that do not hide each other, so that a mark says which of them ran. */
const together: readonly (readonly (keyof typeof planted)[])[] = [
  [
    'a filter, and attributes that ask for it',
    'a merge driver',
    'a diff driver',
    'programs for signing',
    'programs of core',
  ],
  ['a filter process', 'hooks elsewhere', 'programs for what is far', 'names for commands'],
  ['an included file', 'another address for what is far'],
  ['settings of each worktree'],
]

test('everything that can be planted is planted once', () => {
  expect(together.flat().sort()).toEqual(Object.keys(planted).sort())
})

for (const names of together) {
  test(`planted in the repository and of no effect: ${names.join('; ')}`, async () => {
    const at = setUp()
    for (const name of names) appendFileSync(join(at.repository, '.git/config'), planted[name]?.(at) ?? '')
    at.write(join(at.repository, '.git/info/attributes'), '* filter=x diff=x merge=x\n')
    for (const hook of hooks) plantHook(join(at.repository, '.git/hooks', hook), at.program(`hook-${hook}`))
    await everything(at)
    expect(at.marked()).toEqual([])
  })
}

test('what is planted while a command is known runs in the next one neither', async () => {
  const at = setUp()
  const git = openGit(at)
  await git.run(['status'])
  appendFileSync(join(at.repository, '.git/config'), `[filter "x"]\n\tclean = ${at.program('clean')}\n`)
  at.write(join(at.repository, '.git/treadle-git/info/attributes'), '* filter=x\n')
  at.write(join(at.repository, '.git/treadle-git/config'), `[filter "x"]\n\tclean = ${at.program('own')}\n`)
  at.write(join(at.repository, 'a.txt'), 'changed\n')
  await git.run(['add', '-A'])
  expect(at.marked()).toEqual([])
})

test('a planted replacement of a commit is not what our commands see', async () => {
  const at = setUp()
  const other = commitOn(at, 'main', { 'a.txt': 'other\n' })
  at.sh(`git replace main ${other}`)
  expect(at.sh('git show main:a.txt')).toBe('other\n')
  expect((await openGit(at).run(['show', 'main:a.txt'])).stdout).toBe('one\ntwo\nthree\n')
})

test("a submodule's own configuration runs nothing either", async () => {
  const at = setUp()
  const { dir, sh, repository } = at
  sh(`git init -q -b main ${dir}/lib; cd ${dir}/lib; echo 42 > n; git add n; git commit -qm lib`)
  sh(`git -c protocol.file.allow=always submodule --quiet add ${dir}/lib lib; git commit -qm sub`)
  const config = `[filter "x"]\n\tclean = ${at.program('clean')}\n\tsmudge = ${at.program('smudge')}\n`
  appendFileSync(join(repository, '.git/modules/lib/config'), config)
  at.write(join(repository, '.git/modules/lib/info/attributes'), '* filter=x\n')
  appendFileSync(join(repository, '.git/config'), `[submodule "lib"]\n\tupdate = !${at.program('update')}\n`)
  const git = openWorktreeGit(at)
  const path = join(dir, 'work')
  await git.ensureWorktree({ ...request, path })
  expect(existsSync(join(path, 'lib/n'))).toBe(true)
  // The copy of the worktree is as easily reached as that of the checkout.
  const own = join(repository, '.git/worktrees/work/modules/lib')
  appendFileSync(join(own, 'config'), config)
  at.write(join(own, 'info/attributes'), '* filter=x\n')
  at.write(join(path, 'lib/n'), '43\n')
  at.write(join(path, 'new.txt'), 'new\n')
  const checkpoint = await git.checkpoint(path, 'refs/treadle/c', 'c')
  await git.restore(path, checkpoint, 'refs/treadle/d')
  await git.changedFiles(path, 'main')
  expect((await git.commit(path, 'm')).is).toBe('committed')
  await git.removeWorktree(path, request.keepRef)
  expect(at.marked()).toEqual([])
})

test("the account's own filter and credential helper are asked as ever", async () => {
  const at = setUp()
  const { sh, write, repository } = at
  sh(`git config --global filter.own.clean ${at.program('own')}`)
  write(join(repository, '.gitattributes'), '*.txt filter=own\n')
  write(join(repository, 'a.txt'), 'changed\n')
  await openGit(at).run(['add', '-A'])
  expect(at.marked()).toEqual(['own'])
  sh(`git config --global credential.helper '!${at.program('helper')}'`)
  const git = openGit(at)
  const stdin = 'protocol=https\nhost=example.com\n\n'
  await git.run(['credential', 'fill'], { stdin, ok: [0, 128] })
  expect(at.marked()).toEqual(['helper', 'own'])
})

test('names, addresses and line ends of the repository still hold', async () => {
  const at = setUp()
  at.sh(
    `git config user.name 'A "quoted" \\name'; git config user.email u@here; git config core.autocrlf input`,
  )
  const git = openGit(at)
  const { stdout } = await git.run(['config', '--list', '-z', '--local'])
  expect(stdout.split('\0')).toEqual(
    expect.arrayContaining([
      'user.name\nA "quoted" \\name',
      'core.autocrlf\ninput',
      `remote.origin.url\n${at.dir}/origin.git`,
    ]),
  )
  expect(await git.identity(at.repository)).toEqual({})
})
