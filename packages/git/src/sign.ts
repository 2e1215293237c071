// The merge commit, signed with the user's own key where one works, else with the key of the workspace.
import { readFileSync } from 'node:fs'
import { readPrivate } from '@treadle/contracts/ssh-key'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Signature, SignatureFound } from '@treadle/flow/ports/git'
import { readSigners, signerOf } from './allowed-signers.ts'
import { readCommit, withSignature } from './commit-object.ts'
import { commitTree } from './commit-tree.ts'
import type { Git } from './git.ts'
import { noteTree } from './notes.ts'
import { noteCommit } from './refs.ts'
import { fingerprintOf, type SshChecked, sshCheck, sshSign } from './ssh-signature.ts'

// A locked key may make its agent ask somebody who is not there.
const signMsMax = 30_000

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly sign: boolean
}

/** Makes a commit. Where no key can be used it is unsigned, and why is told. */
export async function makeCommit(
  git: Git,
  { tree, parents, message, sign }: NewCommit,
): Promise<{ commit: string; signature: Signature }> {
  const cwd = await git.commonDir()
  const make = () => commitTree(git, { cwd, tree, parents, message })
  if (!sign) return { commit: await make(), signature: { is: 'unsigned' } }
  let why: string | null = null
  if (await hasSigningKey(git))
    try {
      const args = ['commit-tree', '-S', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree]
      const run = { cwd, env: await git.identity(cwd), stdin: `${message}\n`, timeoutMs: signMsMax }
      const commit = (await git.run(args, run)).stdout.trim()
      noteCommit(git, commit)
      return { commit, signature: { is: 'signed', by: 'user' } }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      why = messageOf(error).slice(0, 1_000)
    }
  const made = await signByWorkspace(git, await make(), why)
  noteTree(made.commit, tree)
  return made
}

/** The same commit signed with the key of the workspace; as it is, if there is none. */
async function signByWorkspace(
  git: Git,
  commit: string,
  why: string | null,
): Promise<{ commit: string; signature: Signature }> {
  if (git.signingKey === null)
    return { commit, signature: why === null ? { is: 'unsigned' } : { is: 'failed', why } }
  const read = readKey(git.signingKey)
  if ('why' in read)
    return { commit, signature: { is: 'failed', why: why === null ? read.why : `${why}; ${read.why}` } }
  const { payload } = await readCommit(git, commit)
  const stdin = withSignature(payload, sshSign(read.key, payload), commit.length)
  const signed = await git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], { stdin })
  noteCommit(git, signed.stdout.trim())
  return {
    commit: signed.stdout.trim(),
    signature: { is: 'signed', by: 'workspace', ...(why === null ? {} : { why }) },
  }
}

function readKey(file: string) {
  try {
    const key = readPrivate(readFileSync(file, 'utf8'))
    return key === null ? { why: `${file} holds no ed25519 key without a passphrase` } : { key }
  } catch (error) {
    return { why: `the key of the workspace cannot be read: ${messageOf(error)}` }
  }
}

async function hasSigningKey(git: Git): Promise<boolean> {
  const cwd = await git.commonDir()
  const key = await git.run(['config', '--get', 'user.signingKey'], { cwd, ok: [0, 1] })
  if (key.stdout.trim() !== '') return true
  // Our own command line switches signing off; what the user has written counts.
  const asked = ['config', '--show-scope', '--type=bool', '--get-all', 'commit.gpgSign']
  const { stdout } = await git.run(asked, { cwd, ok: [0, 1] })
  const written = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('command\t'))
  return written.at(-1)?.endsWith('\ttrue') ?? false
}

/** The worth of a commit's signature here. `signers` is a list that counts alone; none: whom this account knows. */
export async function signatureOf(git: Git, commit: string, signers?: string): Promise<SignatureFound> {
  const { payload, signature, committedAt } = await readCommit(git, commit)
  if (signature === null) return { is: 'none' }
  const checked = await checkSsh(git, { payload, signature })
  if (checked === null || checked.is === 'unknown') {
    const found = await askGit(git, commit, signature)
    // Whom a list of ssh keys names, git was not asked.
    return signers === undefined || found.is !== 'good' ? found : { ...found, is: 'unknown_key' }
  }
  if (checked.is === 'bad') return { is: 'bad' }
  const key = fingerprintOf(checked.blob)
  const by = signerOf(readSigners(signers ?? (await accountSigners(git))), checked.blob, committedAt)
  return by === null ? { is: 'unknown_key', by: key, key } : { is: 'good', by, key }
}

/** Null: it is no signature of ssh, or one that git has to look at. */
async function checkSsh(
  git: Git,
  { payload, signature }: { payload: Buffer; signature: string },
): Promise<SshChecked | null> {
  if (!signature.startsWith('-----BEGIN SSH SIGNATURE-----')) return null
  // Lists of revoked keys are in a format of their own.
  const revoked = await git.run(['config', '--get', 'gpg.ssh.revocationFile'], { ok: [0, 1] })
  return revoked.stdout.trim() === '' ? sshCheck(signature, payload) : null
}

/** The text of the account's own list of signers. */
async function accountSigners(git: Git): Promise<string> {
  const asked = ['config', '--type=path', '--get', 'gpg.ssh.allowedSignersFile']
  const file = (await git.run(asked, { ok: [0, 1] })).stdout.trim()
  try {
    return file === '' ? '' : readFileSync(file, 'utf8')
  } catch {
    // A list that is not there names nobody.
    return ''
  }
}

async function askGit(git: Git, commit: string, signature: string): Promise<SignatureFound> {
  const ssh = signature.includes('BEGIN SSH SIGNATURE')
  const known = await git.run(['config', '--get', 'gpg.ssh.allowedSignersFile'], { ok: [0, 1] })
  // Without a list of signers git does not even look whether the signature fits.
  const list = ssh && known.stdout.trim() === '' ? ['-c', 'gpg.ssh.allowedSignersFile=/dev/null'] : []
  const format = '--format=%G?%n%GS%n%GK%n%GF'
  const { stdout, stderr } = await git.run([...list, 'show', '-s', format, commit])
  const [letter = '', signer = '', id = '', fingerprint = ''] = stdout.split('\n')
  const by = signer || id || 'a key'
  const key = fingerprint || id
  const named = key === '' ? {} : { key }
  switch (letter) {
    case 'G':
      return { is: 'good', by, ...named }
    case 'U':
      return { is: 'unknown_key', by, ...named }
    case 'B':
      return { is: 'bad' }
    case 'X':
      return { is: 'unchecked', why: `the signature of ${by} has expired` }
    case 'Y':
      return { is: 'unchecked', why: `the key of ${by} has expired` }
    case 'R':
      return { is: 'unchecked', why: `the key of ${by} was revoked` }
    default:
      return { is: 'unchecked', why: stderr.trim().split('\n')[0] || 'the key is not known here' }
  }
}
