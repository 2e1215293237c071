// Looks for what a history says of the signer of a merge.
import { readConfig } from '@treadle/contracts/config/read'
import type { SignatureFound } from '@treadle/contracts/receipt'
import { keyOfLine } from '@treadle/contracts/ssh-key'
import { CONFIG_FILE } from '@treadle/contracts/workspace'
import type { Git } from '@treadle/git/git'
import { signatureOf } from '@treadle/git/sign'
import { fingerprintOf } from '@treadle/git/ssh-signature'
import type { FirstSigned, SignerFacts } from './signer.ts'

/** A list of signers that was handed in: the name of its file, and what is in it. */
export interface SignerList {
  readonly name: string
  readonly text: string
}

export async function findSigner(git: Git, commit: string, list: SignerList | null): Promise<SignerFacts> {
  const signature = await signatureOf(git, commit, list?.text)
  const first = await firstSigned(git, commit)
  return {
    commit,
    signature,
    first,
    isNamed: await isNamed(git, commit, signature),
    list: list?.name ?? null,
  }
}

/**
 * The first signed merge of the line that a merge stands on; where there is none before it, that of the line which is
 * checked out here or at origin: a merge made beside them must not be its own witness.
 */
async function firstSigned(git: Git, commit: string): Promise<FirstSigned | null> {
  for (const tip of [`${commit}^1`, 'refs/remotes/origin/HEAD', 'HEAD', commit])
    for (const candidate of await signedReceipts(git, tip)) {
      const found = await signatureOf(git, candidate)
      if (found.is === 'good' || found.is === 'unknown_key')
        return { commit: candidate, key: found.key ?? null }
      if (found.is === 'unchecked') return { commit: candidate, key: null }
    }
  return null
}

/** Merges with a receipt and something that looks like a signature, on the first-parent line of `tip`, oldest first. */
async function signedReceipts(git: Git, tip: string): Promise<string[]> {
  const grep = '--grep=^Receipt: sha256:[0-9a-f]*$'
  const args = ['rev-list', '--first-parent', '--reverse', '--header', grep, tip, '--']
  const { code, stdout } = await git.run(args, { ok: [0, 128] })
  if (code !== 0) return []
  return stdout.split('\0').flatMap((text) => {
    const headers = text.slice(0, text.indexOf('\n\n')).split('\n')
    const isSigned = headers.some((line) => /^gpgsig(-sha256)? /.test(line))
    return isSigned && headers[0] !== undefined ? [headers[0]] : []
  })
}

async function isNamed(git: Git, commit: string, signature: SignatureFound): Promise<boolean | null> {
  const key = 'key' in signature ? signature.key : undefined
  // Only keys of ssh are named there.
  if (key === undefined || !key.startsWith('SHA256:')) return null
  const { signers } = (await settingsOf(git, `${commit}^1`)).merge
  const keys = signers.flatMap((line) => keyOfLine(line)?.blob ?? [])
  return keys.length === 0 ? null : keys.map(fingerprintOf).includes(key)
}

/** The settings that a commit itself holds. */
export async function settingsOf(git: Git, commit: string) {
  const { code, stdout } = await git.run(['cat-file', 'blob', `${commit}:${CONFIG_FILE}`], { ok: [0, 128] })
  return readConfig({ own: code === 0 ? stdout : null, vscode: null }).config
}
