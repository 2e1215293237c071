// The numbers of items for completion, asked of the daemon without anything that takes long to load.
import { readFileSync } from 'node:fs'
import { givenWorkspace } from '../env.ts'
import { findWorkspace } from '../workspace.ts'

const ANSWER_MS_MAX = 1_000

interface Listed {
  readonly items: readonly { readonly number: number; readonly title: string }[]
}

/** A number and its title on each line; nothing at all if the daemon does not answer at once. */
export async function printNumbers(): Promise<number> {
  try {
    for (const { number, title } of (await openItems()).items) process.stdout.write(`${number}\t${title}\n`)
    return 0
  } catch {
    return 1
  }
}

async function openItems(): Promise<Listed> {
  const paths = findWorkspace({ workspace: givenWorkspace() })
  const { url } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { url: string }
  const answer = await fetch(`${url}/api/board?ended=20`, {
    headers: { authorization: `Bearer ${readFileSync(paths.token, 'utf8').trim()}` },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  return (await answer.json()) as Listed
}
