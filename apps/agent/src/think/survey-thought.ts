// A thought that no model is asked for: the surveys of one category, by a program of ours that runs nothing of the repository.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import { THOUGHT_CHARS_MAX, type Thought } from '@treadle/contracts/thought'
import { spawnBound } from '@treadle/process/spawn'
import { killTree } from '@treadle/process/tree'
import type { ThinkTools } from './think-tools.ts'

const PROGRAM = fileURLToPath(new URL('../survey.ts', import.meta.url))
const SURVEY_MS = 300_000
const GRACE_MS = 1_000
const ERROR_CHARS_MAX = 4_000

/** Looks at what the target has: files that somebody is just changing in the checkout are left out. */
export async function runSurveyThought(
  { paths, env, targetCommit }: Pick<ThinkTools, 'paths' | 'env' | 'targetCommit'>,
  { subject }: Pick<Thought, 'subject'>,
  signal: AbortSignal,
): Promise<ThoughtEnd> {
  const commit = await targetCommit()
  const asked = ['--repository', paths.root, '--category', subject, '--all']
  const args = commit === null ? asked : [...asked, '--commit', commit]
  // Its standard input stays open: when that closes it is ended.
  const child = spawnBound(process.execPath, ['--no-warnings', PROGRAM, ...args], { cwd: paths.root, env })
  const stopped = AbortSignal.any([signal, AbortSignal.timeout(SURVEY_MS)])
  const end = () => void killTree(child.pid ?? 0, GRACE_MS)
  stopped.addEventListener('abort', end, { once: true })
  let [printed, complained] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (printed.length <= THOUGHT_CHARS_MAX) printed += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complained = (complained + part).slice(-ERROR_CHARS_MAX)
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    signal.throwIfAborted()
    if (stopped.aborted) return failed(`the survey of ${subject} did not end in time`)
    if (code !== 0) return failed(`the survey of ${subject} failed: ${complained.trim()}`)
    if (printed.length > THOUGHT_CHARS_MAX) return failed(`the survey of ${subject} found too much to tell`)
    return { is: 'answered', text: printed, structured: null, model: null }
  } finally {
    stopped.removeEventListener('abort', end)
  }
}

function failed(why: string): ThoughtEnd {
  return { is: 'failed', why: why.slice(0, 4_000) }
}
