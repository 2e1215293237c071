// `treadle demo --idea`: from a sentence to merged code, with a script in place of the model.
import type { BuildView } from '@treadle/contracts/build'
import { shortCommit } from '@treadle/contracts/words/commit'
import { readAgentProgram, VERIFY_MAIN } from '../agent-program.ts'
import { callerName } from '../caller-name.ts'
import type { Running } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { paint, pairs, print, printJson, tell } from '../output.ts'
import { showLive } from '../print-events.ts'
import { flowed, terminalColumns } from '../terminal/columns.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'
import { DEMO_PERSON, specify, talkOver, untilDelivered } from './idea-run.ts'

export const DEMO_IDEA = 'An offline-first shopping list'
/** A machine that is busy with other things takes several times as long as an idle one. */
const WHOLE_MS = 10 * 60_000

export const IDEA_SAID = [
  'A script plays the model: it says what a model would say, writes the files that a model would write, and is made from your sentence. It knows a handful of features. No model is asked, and no key is needed.',
  `The demo speaks for you in the talk, and approves the specification. Documents, items, checks, merges and the receipt are Treadle's own, as with a model.`,
  'This workspace has merge.approval = checks: a delivery that is proven is merged automatically.',
] as const

export interface IdeaDemo {
  readonly env: CliEnv
  readonly running: Running
  readonly root: string
  readonly text: string
  readonly says: readonly string[]
  readonly agents: number
  readonly started: number
  readonly signal: AbortSignal
}

interface Outcome {
  readonly slug: string | null
  readonly documents: readonly string[]
  readonly revision: number | null
  readonly build: BuildView | null
  readonly approvedBy: string | null
  readonly verdict: Verdict | null
  /** Why it is not merged, or its receipt does not hold. */
  readonly why: string | null
}

interface Verdict {
  readonly command: string
  readonly verdict: string
  readonly checks: number
}

/** True: it is merged, and its receipt holds. */
export async function playIdea(demo: IdeaDemo, { json = false }: { json?: boolean }): Promise<boolean> {
  const { running, agents } = demo
  const live = showLive(running, 0)
  let outcome: Outcome
  try {
    await running.client.startAgents({ body: { count: agents, by: callerName() } })
    outcome = await play(demo)
  } finally {
    live.stop()
  }
  const ok = outcome.why === null
  const durationMs = Math.round(performance.now() - demo.started)
  if (json) printJson(document(demo, outcome, { ok, durationMs }))
  else printOutcome(demo, outcome, durationMs)
  return ok
}

const NOTHING: Outcome = {
  slug: null,
  documents: [],
  revision: null,
  build: null,
  approvedBy: null,
  verdict: null,
  why: 'It was interrupted.',
}

async function play(demo: IdeaDemo): Promise<Outcome> {
  const { running, text, says } = demo
  const signal = AbortSignal.any([demo.signal, AbortSignal.timeout(WHOLE_MS)])
  const way = { client: running.client, signal, tell: told }
  let outcome = NOTHING
  try {
    step('Idea')
    const { slug, documents } = await talkOver(way, text, says)
    const { path: brief } = await running.client.ideaBrief({ params: { id: slug } })
    outcome = { ...outcome, slug, documents: [...new Set([...documents.map(({ path }) => path), brief])] }
    step('Specification')
    const { revision, specPath, tasksPath, tasks } = await specify(way, slug)
    outcome = { ...outcome, revision, documents: [...outcome.documents, specPath, tasksPath] }
    await running.client.approveSpecification({ params: { id: slug }, body: { by: DEMO_PERSON, revision } })
    step(`Build: ${tasks.length} tasks`)
    const build = await untilDelivered(way, slug)
    outcome = { ...outcome, build }
    if (build?.mergeCommit == null) return { ...outcome, why: whyNot(build, signal) }
    const approvedBy = await approver(demo, build)
    step('Receipt')
    const verdict = await verified(demo, build.mergeCommit)
    const why = verdict.verdict === 'yes' ? null : `The receipt does not hold: ${verdict.command}`
    return { ...outcome, approvedBy, verdict, why }
  } catch (error) {
    if (signal.aborted) return { ...outcome, why: whyNot(outcome.build, signal) }
    if (error instanceof UserError) return { ...outcome, why: `${error.message} ${error.hint}` }
    throw error
  }
}

function whyNot(build: BuildView | null, { aborted }: AbortSignal): string {
  const words = [build?.why, build?.hint].filter((each) => each != null).join(' ')
  if (words !== '') return words
  return aborted ? 'It was interrupted, or took too long.' : 'Its delivery was not merged.'
}

async function approver(
  { running }: IdeaDemo,
  { projectNumber, delivery }: BuildView,
): Promise<string | null> {
  if (delivery === null) return null
  const params = { projectNumber, issueNumber: delivery }
  return (await running.client.showItem({ params })).item.approval?.by ?? null
}

async function verified({ env, root }: IdeaDemo, commit: string): Promise<Verdict> {
  const options = { repository: root, commit, minutes: '5', json: true }
  const { stdout } = await readAgentProgram(env, VERIFY_MAIN, options)
  const { verdict, checks } = answerIn(stdout)
  tell(`  ${checks} checks executed again: ${verdict}`)
  return { command: `cd ${root} && treadle verify ${commit}`, verdict, checks }
}

function answerIn(stdout: string): { verdict: string; checks: number } {
  try {
    const { verdict, checks } = JSON.parse(stdout) as { verdict?: unknown; checks?: unknown }
    return { verdict: String(verdict), checks: Array.isArray(checks) ? checks.length : 0 }
  } catch {
    return { verdict: 'unknown', checks: 0 }
  }
}

// ── Words ───────────────────────────────────────────────────────────────────────────────────────

function step(name: string): void {
  tell(paint('bold', name))
}

function told(line: string): void {
  tell(flowed(plainText(line), { hang: 4, columns: terminalColumns(process.stderr) }))
}

function document(
  { root, running, text }: IdeaDemo,
  { slug, documents, revision, build, approvedBy, verdict, why }: Outcome,
  { ok, durationMs }: { ok: boolean; durationMs: number },
): object {
  return {
    engine: 'scripted',
    model: 'played by a script',
    idea: text,
    slug,
    durationMs,
    ok,
    why,
    workspace: root,
    url: running.url,
    documents,
    revision,
    branch: build?.branch ?? null,
    tasks: (build?.tasks ?? []).map(({ id, number, title, file, status, mergeCommit }) => ({
      id,
      number,
      title,
      file,
      status,
      mergeCommit,
    })),
    delivery: build?.delivery ?? null,
    approvedBy,
    mergeCommit: build?.mergeCommit ?? null,
    verify: verdict,
  }
}

function printOutcome(demo: IdeaDemo, outcome: Outcome, durationMs: number): void {
  const { root } = demo
  const { build, documents, verdict, approvedBy, why } = outcome
  if (build !== null) {
    const rows = build.tasks.map(({ id, status, title, file, mergeCommit }) => [
      id,
      status,
      mergeCommit === null ? '' : shortCommit(mergeCommit),
      plainText(file),
      plainText(title),
    ])
    print(`\n${listing(['TASK', 'STATUS', 'MERGED', 'FILE', 'TITLE'], rows, { drop: ['TITLE'] })}\n`)
  }
  const merged = build?.mergeCommit ?? null
  print(
    pairs([
      ...(merged === null
        ? []
        : [['Delivery', `#${build?.delivery}, merged as ${merged} (${approvedBy})`] as const]),
      ...documents.map((path, nth) => [nth === 0 ? 'Documents' : '', path] as const),
      ['Workspace', root],
      ...(verdict === null
        ? []
        : [['Receipt', `executed again, ${verdict.checks} checks: ${verdict.verdict}`] as const]),
    ]),
  )
  if (verdict !== null) print(`\nExecute it yourself:\n${verdict.command}`)
  const seconds = Math.round(durationMs / 1_000)
  print(
    flowed(
      why === null
        ? `\nFrom the idea to the merge in ${seconds} s. A script played the model.`
        : paint('red', `\nNot merged after ${seconds} s. ${plainText(why)}`),
    ),
  )
}
