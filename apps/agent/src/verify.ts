// treadle verify: does a merge still do what its receipt states? Yes, no, or what is missing to tell.
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Config } from '@treadle/contracts/config'
import { readConfig } from '@treadle/contracts/config/read'
import {
  FETCHED_NOTES,
  RECEIPT_NOTES,
  type Receipt,
  readReceipt,
  statedDigest,
} from '@treadle/contracts/receipt'
import { CONFIG_FILE } from '@treadle/contracts/workspace'
import { Fault, messageOf } from '@treadle/flow/fault'
import { type Git, openGit } from '@treadle/git/git'
import { fetchNotes, readNote, treeOf } from '@treadle/git/notes'
import { needCommit } from '@treadle/git/refs'
import { complain } from './end.ts'
import { readEnv } from './env.ts'
import { executeAgain } from './verify/again.ts'
import { checkBuilt } from './verify/built.ts'
import {
  answerOf,
  type Check,
  checkBatch,
  checkDigest,
  checkEnvironment,
  checkReview,
  checkTrees,
  type Listed,
  type Stand,
  topOfBatch,
  type Verdict,
  verdictOf,
} from './verify/compare.ts'
import { findSigner, type SignerList } from './verify/find-signer.ts'
import { checkReverts } from './verify/reverted.ts'
import { checkSigner, type Signer, signerOf } from './verify/signer.ts'

const EXIT: Record<Verdict, number> = { yes: 0, no: 1, cannot_tell: 3 }
const MARKS: Record<Check['is'], string> = {
  same: '=',
  differs: '≠',
  missing: '?',
  unchecked: '!',
  note: '·',
}
const FETCH_MS = 60_000
const MINUTE_MS = 60_000

interface Options {
  readonly repository: string
  readonly commit: string
  readonly receipt: string | undefined
  readonly signers: SignerList | null
  readonly timeoutMs: number
}

interface Verified {
  readonly checks: readonly Check[]
  /** Null: it was not looked for, since the receipt is none of the commit. */
  readonly signer: Signer | null
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repository: { type: 'string' },
      commit: { type: 'string' },
      receipt: { type: 'string' },
      signers: { type: 'string' },
      minutes: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const { repository, commit } = values
  if (repository === undefined || commit === undefined)
    throw new Fault('usage', 'verify: --repository DIR and --commit REF are needed')
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => ending.abort(new Fault('stopped', signal)))
  const git = openGit({ repository, env: readEnv() })
  const id = await needCommit(git, commit)
  const timeoutMs = Number(values.minutes ?? 30) * MINUTE_MS
  const signers = values.signers === undefined ? null : listIn(values.signers)
  const { checks, signer } = await verify(
    git,
    { repository, commit: id, receipt: values.receipt, signers, timeoutMs },
    ending.signal,
  )
  const verdict = verdictOf(checks)
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ verdict, commit: id, signer, checks }, null, 2)}\n`
      : `${checks.map(lineOf).join('\n')}\n${answerOf(checks)}\n`,
  )
  return EXIT[verdict]
}

function listIn(file: string): SignerList {
  try {
    return { name: file, text: readFileSync(file, 'utf8') }
  } catch (error) {
    throw new Fault('usage', `the list of signers cannot be read: ${messageOf(error)}`)
  }
}

function lineOf({ what, is, words }: Check): string {
  return `${MARKS[is]} ${what.padEnd(17)} ${words.trim().replaceAll('\n', '\n    ')}`
}

/** Nothing of a receipt is executed before it is known to be the one that the commit names. */
async function verify(git: Git, options: Options, signal: AbortSignal): Promise<Verified> {
  const { commit } = options
  const stated = statedDigest((await git.run(['show', '-s', '--format=%B', commit])).stdout)
  if (stated === null)
    return unbound([missing('the commit names none; only merges that Treadle has made carry a receipt')])
  const text = await textOf(git, options)
  if (typeof text !== 'string') return unbound([text])
  const digest = checkDigest(text, stated)
  if (digest.is === 'differs') return unbound([digest])
  const receipt = readReceipt(text)
  if ('why' in receipt) return unbound([digest, missing(receipt.why)])
  const trees = checkTrees(receipt, {
    tree: await treeOf(git, commit),
    parents: await parentsOf(git, commit),
  })
  const facts = await findSigner(git, commit, options.signers)
  const signer = signerOf(facts)
  const bound = [digest, checkSigner(facts), ...trees]
  const top = topOfBatch(receipt, commit, await mergesAfter(git, receipt, commit))
  if (top.is === 'lost')
    return { signer, checks: [...bound, { what: 'batch', is: 'missing', words: top.words }] }
  const batch = checkBatch(receipt, { commit: top.commit, tree: await treeOf(git, top.commit) })
  const known = [
    ...bound,
    ...batch,
    ...(await checkReverts(git, receipt)),
    ...(await checkBuilt(git, receipt)),
    ...checkReview(receipt),
  ]
  if (known.some(({ is }) => is === 'differs')) return { signer, checks: known }
  const here = { os: process.platform, arch: process.arch, node: process.version }
  const again = await executeAgain({
    ...options,
    commit: top.commit,
    receipt,
    env: readEnv(),
    sandbox: sandboxIn(options.repository),
    signal,
    tell: (words) => process.stderr.write(`${words}\n`),
  })
  return { signer, checks: [...known, ...checkEnvironment(receipt, here), ...again] }
}

/** How the owner of this checkout wants foreign code to be confined; as usual where nothing is said. */
function sandboxIn(repository: string): Config['sandbox'] {
  const file = `${repository}/${CONFIG_FILE}`
  return readConfig({ own: existsSync(file) ? readFileSync(file, 'utf8') : null, vscode: null }).config
    .sandbox
}

const unbound = (checks: readonly Check[]): Verified => ({ checks, signer: null })

const missing = (words: string): Check => ({ what: 'receipt', is: 'missing', words })

async function textOf(git: Git, { commit, receipt }: Options): Promise<string | Check> {
  if (receipt !== undefined) {
    try {
      return readFileSync(receipt, 'utf8')
    } catch (error) {
      return missing(`${receipt} cannot be read: ${messageOf(error)}`)
    }
  }
  const here = (await readNote(git, RECEIPT_NOTES, commit)) ?? (await readNote(git, FETCHED_NOTES, commit))
  if (here !== null) return here
  const remotes = (await git.run(['remote'])).stdout.split('\n')
  if (!remotes.includes('origin'))
    return missing(`there is no note under ${RECEIPT_NOTES}, and no origin to ask`)
  try {
    const fetched = await fetchNotes(git, RECEIPT_NOTES, FETCHED_NOTES, FETCH_MS)
    const found = fetched ? await readNote(git, FETCHED_NOTES, commit) : null
    return found ?? missing(`neither this repository nor origin has a note for it under ${RECEIPT_NOTES}`)
  } catch (error) {
    return missing(messageOf(error))
  }
}

/** Merges that came after it, by which those of its batch are found. */
async function mergesAfter(git: Git, { predicate }: Receipt, commit: string): Promise<Listed[]> {
  if (predicate.batch === undefined) return []
  const args = ['rev-list', '--parents', '--merges', '--all', 'HEAD', `^${commit}`]
  const { stdout } = await git.run(args)
  return stdout.split('\n').flatMap((line) => {
    const [merge, ...parents] = line.split(' ')
    return merge === undefined || merge === '' ? [] : [{ commit: merge, parents }]
  })
}

async function parentsOf(git: Git, commit: string): Promise<Stand[]> {
  const { stdout } = await git.run(['rev-list', '--parents', '--max-count=1', commit])
  const [, ...parents] = stdout.trim().split(' ')
  const stands: Stand[] = []
  for (const parent of parents) stands.push({ commit: parent, tree: await treeOf(git, parent) })
  return stands
}

process.exitCode = await main().catch(complain)
