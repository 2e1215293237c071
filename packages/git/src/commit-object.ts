// A commit as git stores it, and the signature in it: what is signed is the commit without that header.
import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'

export interface CommitObject {
  /** The bytes that a signature is made of. */
  readonly payload: Buffer
  /** Null: the commit is not signed. */
  readonly signature: string | null
  /** When it was made, in seconds. */
  readonly committedAt: number
}

const HEADER = /^gpgsig(-sha256)? /
const SHA256_CHARS = 64

export async function readCommit(git: Git, commit: string): Promise<CommitObject> {
  const { bytes } = await git.run(['cat-file', 'commit', commit])
  // Latin 1 has a letter for every byte.
  const raw = bytes.toString('latin1')
  const end = raw.indexOf('\n\n')
  if (end === -1) throw new Fault('git', `${commit} is no whole commit`)
  const headers = raw.slice(0, end).split('\n')
  const wanted = commit.length === SHA256_CHARS ? 'gpgsig-sha256 ' : 'gpgsig '
  const kept: string[] = []
  const signature: string[] = []
  let isIn: 'kept' | 'signature' | 'other' = 'kept'
  for (const line of headers) {
    // A line that begins with a space goes on with the one before.
    if (!line.startsWith(' ')) isIn = kindOf(line, wanted)
    if (isIn === 'kept') kept.push(line)
    else if (isIn === 'signature')
      signature.push(line.startsWith(' ') ? line.slice(1) : line.slice(wanted.length))
  }
  const time = headers.find((line) => line.startsWith('committer '))
  return {
    payload: Buffer.from(`${kept.join('\n')}${raw.slice(end)}`, 'latin1'),
    signature: signature.length === 0 ? null : signature.join('\n'),
    committedAt: Number(/> (\d+) [+-]\d+$/.exec(time ?? '')?.[1] ?? 0),
  }
}

function kindOf(line: string, wanted: string): 'kept' | 'signature' | 'other' {
  if (line.startsWith(wanted)) return 'signature'
  return HEADER.test(line) ? 'other' : 'kept'
}

/** The commit with its signature; `idChars` is the length of its id, by which git names the header. */
export function withSignature(payload: Buffer, signature: string, idChars: number): Buffer {
  const name = idChars === SHA256_CHARS ? 'gpgsig-sha256' : 'gpgsig'
  const header = `\n${name} ${signature.trimEnd().replaceAll('\n', '\n ')}`
  const end = payload.indexOf('\n\n')
  return Buffer.concat([payload.subarray(0, end), Buffer.from(header, 'latin1'), payload.subarray(end)])
}
