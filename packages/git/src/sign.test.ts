import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicLine } from '@treadle/contracts/ssh-key'
import { notRun } from '@treadle/requirements/not-run'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { openGit } from './git.ts'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, makeSshKey } from './scratch-repository.ts'
import { signatureOf } from './sign.ts'

/** A repository whose user has an ssh key for signing. */
function setUp(context: TestContext) {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const key = join(scratch.dir, 'key')
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'u@x', '-f', key], {
    env: scratch.env,
  })
  if (made.status !== 0) notRun(context, 'there is no ssh-keygen', 'apt install openssh-client')
  scratch.sh(`git config gpg.format ssh; git config user.signingKey '${key}'`)
  const head = commitOn(scratch, 'main', { 'new.txt': 'new\n' })
  const git = openGit(scratch)
  const merge = (sign: boolean) =>
    openMergeGit(scratch).prepareMerge({ target: 'main', head, message: 'Merge\n\nKind: merge', sign })
  const commit = async (sign = true): Promise<string> => {
    const prepared = await merge(sign)
    if (prepared.is !== 'prepared') throw new Error(prepared.is)
    return prepared.commit
  }
  return { ...scratch, git, key, merge, commit }
}

test('a merge is signed with the key of the user, and a stranger sees that it fits', async (context) => {
  const { sh, git, key, merge, commit } = setUp(context)
  expect(await merge(true)).toMatchObject({ is: 'prepared', signature: { is: 'signed', by: 'user' } })
  const signed = await commit()
  expect(await signatureOf(git, signed)).toMatchObject({ is: 'unknown_key' })
  sh(`printf 'u@x ' > '${key}.known'; cat '${key}.pub' >> '${key}.known'`)
  // Whom to believe is the user's word, not the repository's.
  sh(`git config gpg.ssh.allowedSignersFile '${key}.known'`)
  expect(await signatureOf(git, signed)).toMatchObject({ is: 'unknown_key' })
  sh(`git config --global gpg.ssh.allowedSignersFile '${key}.known'`)
  expect(await signatureOf(git, signed)).toMatchObject({ is: 'good', by: 'u@x' })
})

test('a commit that was changed after it was signed is told from one that was not', async (context) => {
  const { sh, git, commit } = setUp(context)
  const raw = sh(`git cat-file commit ${await commit()}`)
  const forge = (text: string): string => {
    writeFileSync(join(git.repository, '.git', 'forged'), text)
    return sh('git hash-object -t commit -w .git/forged').trim()
  }
  expect(await signatureOf(git, forge(raw.replace('Kind: merge', 'Kind: forged')))).toEqual({ is: 'bad' })
  expect(await signatureOf(git, forge(raw))).toMatchObject({ is: 'unknown_key' })
})

test('who has git show signatures in its log is told the same', async (context) => {
  const { sh, git, commit } = setUp(context)
  sh('git config log.showSignature true')
  const signed = await commit()
  expect(await signatureOf(git, signed)).toMatchObject({ is: 'unknown_key' })
  sh(`git cat-file commit ${signed} | sed 's/Kind: merge/Kind: forged/' > .git/forged`)
  expect(await signatureOf(git, sh('git hash-object -t commit -w .git/forged').trim())).toEqual({ is: 'bad' })
})

test('without a key, or without being asked, nothing is signed', async (context) => {
  const { sh, git, merge, commit } = setUp(context)
  expect(await signatureOf(git, await commit(false))).toEqual({ is: 'none' })
  sh('git config --unset user.signingKey')
  expect(await merge(true)).toMatchObject({ is: 'prepared', signature: { is: 'unsigned' } })
})

test('a key that cannot be used leaves the merge unsigned and says why', async (context) => {
  const { sh, git, key, merge, dir } = setUp(context)
  sh(`git config user.signingKey '${join(dir, 'gone')}'`)
  const prepared = await merge(true)
  expect(prepared).toMatchObject({
    is: 'prepared',
    signature: { is: 'failed', why: expect.stringContaining('gone') },
  })
  if (prepared.is === 'prepared') expect(await signatureOf(git, prepared.commit)).toEqual({ is: 'none' })
  // Asked for in the user's settings, with no key to do it: the same.
  sh('git config --unset user.signingKey; git config commit.gpgSign true')
  expect(await merge(true)).toMatchObject({ signature: { is: 'failed' } })
  expect(existsSync(key)).toBe(true)
})

/** A workspace with a key of its own, on a machine that has git and no ssh-keygen. */
function setUpWorkspace(objects: 'sha1' | 'sha256' = 'sha1') {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const [signingKey, bin] = [join(scratch.dir, 'workspace.key'), join(scratch.dir, 'bin')]
  const key = makeSshKey(signingKey)
  mkdirSync(bin)
  for (const name of ['git', 'sh']) symlinkSync(scratch.sh(`command -v ${name}`).trim(), join(bin, name))
  if (objects === 'sha256') {
    scratch.sh('rm -rf .git && git init -q -b main --object-format=sha256')
    scratch.sh('git config user.name T; git config user.email t@x; git add -A')
    scratch.sh('git commit -q --allow-empty -m start')
  }
  const head = commitOn(scratch, 'main', { 'new.txt': 'new\n' })
  const options = { repository: scratch.repository, env: { ...scratch.env, PATH: bin }, signingKey }
  const merge = (more: object = {}) =>
    openMergeGit({ ...options, ...more }).prepareMerge({
      target: 'main',
      head,
      message: 'Merge ü\n\nKind: merge',
      sign: true,
    })
  return { ...scratch, key, signingKey, options, git: openGit(options), merge }
}

test.each(['sha1', 'sha256'] as const)(
  'without a key of the user the workspace signs, without ssh-keygen: %s',
  async (objects) => {
    const { sh, git, key, merge, dir } = setUpWorkspace(objects)
    const prepared = await merge()
    expect(prepared).toMatchObject({ is: 'prepared', signature: { is: 'signed', by: 'workspace' } })
    const commit = prepared.is === 'prepared' ? prepared.commit : ''
    const found = await signatureOf(git, commit)
    expect(found).toMatchObject({ is: 'unknown_key', key: expect.stringMatching(/^SHA256:/) })
    expect(await signatureOf(git, commit, `ada@x ${publicLine(key)}`)).toEqual({
      ...found,
      is: 'good',
      by: 'ada@x',
    })
    expect(sh(`git show -s --format=%B ${commit}`)).toContain('Merge ü')
    expect(sh(`git fsck --no-dangling ${commit} 2>&1`)).not.toMatch(/error|warning/)
    sh(`git cat-file commit ${commit} | sed 's/Kind: merge/Kind: forged/' > .git/forged`)
    expect(await signatureOf(git, sh('git hash-object -t commit -w .git/forged').trim())).toEqual({
      is: 'bad',
    })
    // Git itself says the same, where it has the program for it.
    if (spawnSync('ssh-keygen', ['-?']).error !== undefined) return
    writeFileSync(join(dir, 'known'), `ada@x ${publicLine(key)}\n`)
    expect(
      sh(`git -c gpg.ssh.allowedSignersFile='${join(dir, 'known')}' show -s --format='%G? %GS' ${commit}`),
    ).toBe('G ada@x\n')
  },
)

test('where the key of the user cannot be used the workspace signs and says why; its own may be damaged too', async () => {
  const { sh, merge, dir, signingKey } = setUpWorkspace()
  sh(`git config gpg.format ssh; git config user.signingKey '${join(dir, 'gone')}'`)
  expect(await merge()).toMatchObject({
    signature: { is: 'signed', by: 'workspace', why: expect.stringMatching(/ssh-keygen|gone/) },
  })
  writeFileSync(signingKey, 'damaged')
  expect(await merge()).toMatchObject({
    signature: { is: 'failed', why: expect.stringContaining('workspace.key holds no') },
  })
})
