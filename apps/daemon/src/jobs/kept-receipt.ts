// The receipt of a merge, read from beside the commit and held against the hash that the commit names.
import { createHash } from 'node:crypto'
import type { Item } from '@treadle/contracts/item'
import {
  FETCHED_NOTES,
  type KeptReceipt,
  RECEIPT_NOTES,
  readReceipt,
  statedDigest,
} from '@treadle/contracts/receipt'
import type { MergeGit } from '@treadle/flow/ports/git'

type Read =
  | { readonly is: 'kept'; readonly kept: KeptReceipt }
  | { readonly is: 'none'; readonly why: string; readonly hint: string }

type Git = Pick<MergeGit, 'commitOf' | 'treeOf' | 'readNote' | 'messageOf' | 'signatureOf'>

export async function readKept(git: Git, { state, mergeCommit: commit }: Item): Promise<Read> {
  if (commit === null) return { is: 'none', ...notMerged(state) }
  if ((await git.commitOf(commit)) === null)
    return {
      is: 'none',
      why: `its merge ${commit.slice(0, 12)} is not in this repository`,
      hint: 'It was merged elsewhere; fetch it first: git fetch origin',
    }
  const text = (await git.readNote(RECEIPT_NOTES, commit)) ?? (await git.readNote(FETCHED_NOTES, commit))
  if (text === null)
    return {
      is: 'none',
      why: `there is no note on ${commit.slice(0, 12)} under ${RECEIPT_NOTES}`,
      hint: `origin may have it: treadle verify ${commit.slice(0, 12)} asks there`,
    }
  const receipt = readReceipt(text)
  return {
    is: 'kept',
    kept: {
      commit,
      tree: await git.treeOf(commit),
      stated: statedDigest(await git.messageOf(commit)),
      found: createHash('sha256').update(text).digest('hex'),
      signature: await git.signatureOf(commit),
      ...('why' in receipt ? { receipt: null, why: receipt.why } : { receipt, why: null }),
    },
  }
}

function notMerged(state: Item['state']): { why: string; hint: string } {
  if (state === 'done')
    return {
      why: 'nothing was merged, its branch is the result',
      hint: 'Only merges carry a receipt; see merge.approval in treadle.json.',
    }
  return { why: 'it is not merged yet', hint: 'The receipt is made with the merge; try again then.' }
}
