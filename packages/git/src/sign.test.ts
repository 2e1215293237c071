import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { notRun } from '@treadle/requirements/not-run'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { openGit } from './git.ts'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch } from './scratch-repository.ts'
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
  expect(await merge(true)).toMatchObject({ is: 'prepared', signature: { is: 'signed' } })
  const signed = await commit()
  expect(await signatureOf(git, signed)).toMatchObject({ is: 'unknown_key' })
  sh(`printf 'u@x ' > '${key}.known'; cat '${key}.pub' >> '${key}.known'`)
  // Whom to believe is the user's word, not the repository's.
  sh(`git config gpg.ssh.allowedSignersFile '${key}.known'`)
  expect(await signatureOf(git, signed)).toMatchObject({ is: 'unknown_key' })
  sh(`git config --global gpg.ssh.allowedSignersFile '${key}.known'`)
  expect(await signatureOf(git, signed)).toEqual({ is: 'good', by: 'u@x' })
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
