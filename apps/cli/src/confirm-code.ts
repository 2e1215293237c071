// Decisions that want a code: asked for where somebody is there to be asked, and shown where the owner watches.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Reach } from '@treadle/contracts/client'
import { Problem } from '@treadle/contracts/problem'
import { askLine } from './ask-line.ts'
import { clock, paint, tell } from './output.ts'

const TRIES_MAX = 3
const WAIT_MS = 25_000
const AGAIN_MS = 1_000
const KNOWN_MAX = 100

type CodeRequest = Awaited<ReturnType<Reach>>

/** Sends a request again with the code that it wants: the one given with --code, or what the person types. */
export function withCode(given: string | null): Reach {
  return async (url, request) => {
    const { body } = request
    const first = await send(url, request)
    return body === undefined
      ? first
      : answerCode(first, { given, again: (more) => send(url, more), request })
  }
}

interface Again {
  readonly given: string | null
  readonly request: Parameters<Reach>[1]
  readonly again: (request: Parameters<Reach>[1]) => Promise<CodeRequest>
}

async function answerCode(first: CodeRequest, { given, request, again }: Again): Promise<CodeRequest> {
  let answer = first
  for (let tries = 0; tries < (given === null ? TRIES_MAX : 1); tries += 1) {
    const problem = await codeProblem(answer)
    const code = problem === null ? null : (given ?? (await askCode(problem)))
    if (code === null) return answer
    answer = await again({ ...request, body: JSON.stringify({ ...JSON.parse(request.body ?? '{}'), code }) })
  }
  return answer
}

/** The text is kept, since it is looked at here and read again by the client. */
async function send(url: string, request: Parameters<Reach>[1]): Promise<CodeRequest> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  return { status: answer.status, text: async () => text }
}

async function codeProblem(answer: CodeRequest): Promise<Problem['error'] | null> {
  if (answer.status !== 409) return null
  try {
    const read = Problem.safeParse(JSON.parse(await answer.text()))
    return read.success && read.data.error.code === 'code_needed' ? read.data.error : null
  } catch {
    return null
  }
}

/** The code that the person types; null where nobody is there, or where it is left empty. */
async function askCode({ message, hint }: Problem['error']): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  tell(`${message} ${hint.split(' Send it along')[0]}`)
  const typed = (await askLine('Code: ')).replace(/\s+/g, '')
  return /^\d{6}$/.test(typed) ? typed : null
}

/** Shows codes as decisions ask for them, until it is told to stop. */
export function showCodes(client: Client): { stop(): void } {
  const ending = new AbortController()
  const { signal } = ending
  const known = new Set<string>()
  const run = async () => {
    while (!signal.aborted) await showNext(client, known, signal).catch(() => sleep(AGAIN_MS))
  }
  void run()
  return { stop: () => ending.abort() }
}

async function showNext(client: Client, known: Set<string>, signal: AbortSignal): Promise<void> {
  const query = { waitMs: WAIT_MS, known: [...known].slice(-KNOWN_MAX).join(',') }
  const { items } = await client.listCodes({ query, signal })
  for (const { id, what, code, expiresAt } of items) {
    if (known.has(id)) continue
    known.add(id)
    tell(
      `${paint('yellow', `Code ${code}`)} to ${what}, good until ${clock(expiresAt)}. If that is not you, leave it.`,
    )
  }
}
