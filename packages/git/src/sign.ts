// The merge commit, signed with the user's own key where one is configured.
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Signature, SignatureFound } from '@treadle/flow/ports/git'
import type { Git } from './git.ts'

// A locked key may make its agent ask somebody who is not there.
const signMsMax = 30_000

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly sign: boolean
}

/** A key that cannot be used leaves the commit unsigned; why is told. */
export async function makeCommit(
  git: Git,
  { tree, parents, message, sign }: NewCommit,
): Promise<{ commit: string; signature: Signature }> {
  const cwd = await git.commonDir()
  const args = [...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree]
  const run = { cwd, env: await git.identity(cwd), stdin: `${message}\n` }
  const make = async (how: readonly string[], timeoutMs?: number): Promise<string> => {
    const limit = timeoutMs === undefined ? {} : { timeoutMs }
    return (await git.run(['commit-tree', ...how, ...args], { ...run, ...limit })).stdout.trim()
  }
  if (!sign || !(await hasSigningKey(git))) return { commit: await make([]), signature: { is: 'unsigned' } }
  try {
    return { commit: await make(['-S'], signMsMax), signature: { is: 'signed' } }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { commit: await make([]), signature: { is: 'failed', why: messageOf(error).slice(0, 1_000) } }
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

/** The worth of a commit's signature here. */
export async function signatureOf(git: Git, commit: string): Promise<SignatureFound> {
  const { stdout: raw } = await git.run(['cat-file', 'commit', commit])
  const headers = raw.split('\n\n', 1)[0] ?? ''
  if (!/^gpgsig(-sha256)? /m.test(headers)) return { is: 'none' }
  const ssh = headers.includes('BEGIN SSH SIGNATURE')
  const known = await git.run(['config', '--get', 'gpg.ssh.allowedSignersFile'], { ok: [0, 1] })
  // Without a list of signers git does not even look whether the signature fits.
  const signers = ssh && known.stdout.trim() === '' ? ['-c', 'gpg.ssh.allowedSignersFile=/dev/null'] : []
  const format = '--format=%G?%n%GS%n%GK'
  const { stdout, stderr } = await git.run([...signers, 'show', '-s', format, commit])
  const [letter = '', signer = '', key = ''] = stdout.split('\n')
  const by = signer || key || 'a key'
  switch (letter) {
    case 'G':
      return { is: 'good', by }
    case 'U':
      return { is: 'unknown_key', by }
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
