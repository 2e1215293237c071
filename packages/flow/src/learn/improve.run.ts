// Templates are improved if a person says so: asked once, shown as a difference, written into the owner's own copy.

import { createHash } from 'node:crypto'
import type { Config } from '@treadle/contracts/config'
import type { QuestionAnswer } from '@treadle/contracts/question'
import { type QuestionWorld, runTrigger } from '../ask/question.run.ts'
import type { Documents } from '../ports/documents.ts'
import type { TemplateProposal } from '../ports/planning-retrospectives.ts'
import type { Store } from '../ports/store.ts'
import { differenceOf } from '../spec/difference.ts'
import { type LoadedTemplate, loadTemplate } from '../spec/load-templates.run.ts'
import { decideImprovements, type Improvement, improved, LOOKED_MAX } from './improvement.ts'

export interface ImproveWorld {
  readonly store: Pick<
    Store,
    'tx' | 'events' | 'questions' | 'retrospectives' | 'planningRetrospectives' | 'templateProposals'
  >
  readonly questions: QuestionWorld
  readonly documents: Documents
  readonly config: () => Pick<Config, 'ideas'>
  /** Whose checkout it is; several may share one database. */
  readonly workspace: { readonly id: string }
  readonly now: () => Date
}

const TEMPLATE_YES = 'Yes, change the template'
const RUNS_MAX = 100
const ASKED_MAX = 20

/** Asks about each improvement that shows, one at a time for each template; answers how many. */
export async function runProposeTemplates(world: ImproveWorld): Promise<number> {
  const { store, workspace } = world
  const specs = await store.planningRetrospectives.list({ is: 'spec', limit: LOOKED_MAX })
  const runs = await store.retrospectives.list({ limit: RUNS_MAX })
  const asked = await store.templateProposals.asked(workspace.id, ASKED_MAX)
  const busy = new Set(asked.map(({ path }) => path))
  let many = 0
  for (const improvement of decideImprovements({ specs, runs })) {
    if ((await store.templateProposals.find(workspace.id, improvement.key)) !== null) continue
    const template = await loadTemplate(world.documents, world.config().ideas.dir, improvement.template)
    // Whoever has a copy that cannot be used has to mend it first.
    if (template.why !== null || busy.has(template.path)) continue
    if (!(await ask(world, improvement, template))) continue
    busy.add(template.path)
    many += 1
  }
  return many
}

async function ask(
  world: ImproveWorld,
  improvement: Improvement,
  template: LoadedTemplate,
): Promise<boolean> {
  const { key, gap, count, looked } = improvement
  const { text: before, path, own } = template
  const after = improved(before, improvement)
  if (after === null) return false
  const [asked] = await runTrigger(world.questions, {
    agent: 'sia',
    event: 'template_improvement',
    facts: {
      count,
      looked,
      gap,
      template: path,
      difference: differenceOf(before, after).join('\n'),
      whose:
        own === null
          ? `A copy of yours is made at ${path}, which you may edit.`
          : `Yours, ${path}, is changed by these lines only.`,
    },
    // The same until the template changes: whoever was killed before this was noted finds the question again.
    about: { subject: `template ${world.workspace.id} ${key} ${hash(before)}` },
  })
  if (asked === undefined || asked.is === 'not_asked') return false
  const proposal = { key, path, questionId: asked.question.id, before, after }
  return world.store.templateProposals.ask(world.workspace.id, proposal, world.now())
}

/** Part of every sweep: what people said about templates is done; answers how many were changed. */
export async function runImproveTemplates(world: ImproveWorld): Promise<number> {
  let changed = 0
  for (const proposal of await world.store.templateProposals.asked(world.workspace.id, ASKED_MAX)) {
    const question = await world.store.questions.find(proposal.questionId)
    if (question?.record.status === 'open') continue
    if (await follow(world, proposal, question?.record.answer ?? null)) changed += 1
  }
  return changed
}

async function follow(
  world: ImproveWorld,
  proposal: TemplateProposal,
  answer: QuestionAnswer | null,
): Promise<boolean> {
  if (answer?.option !== TEMPLATE_YES) {
    await settle(world, proposal, { status: 'declined', why: answer?.text ?? 'there was no answer' })
    return false
  }
  const name = proposal.key.startsWith('tasks/') ? 'tasks' : 'spec'
  const template = await loadTemplate(world.documents, world.config().ideas.dir, name)
  if (template.why !== null) return false
  if (template.text === proposal.after) {
    await settle(world, proposal, { status: 'applied', why: answer.by })
    return false
  }
  // What a person has changed since is not written over: the new difference is shown first.
  if (template.text !== proposal.before) {
    await askAnew(world, proposal, template)
    return false
  }
  const written = await write(world, proposal, template)
  if (written) await settle(world, proposal, { status: 'applied', why: answer.by })
  return written
}

/** False: not now, as in the middle of a rebase, or a person was faster; the next sweep looks again. */
async function write(
  { documents }: ImproveWorld,
  { path, after }: TemplateProposal,
  { own }: LoadedTemplate,
): Promise<boolean> {
  const written = await documents.write(path, after, ...(own === null ? [] : [own]))
  return written.is === 'written' || written.is === 'unchanged'
}

async function askAnew(
  world: ImproveWorld,
  proposal: TemplateProposal,
  template: LoadedTemplate,
): Promise<void> {
  const specs = await world.store.planningRetrospectives.list({ is: 'spec', limit: LOOKED_MAX })
  const runs = await world.store.retrospectives.list({ limit: RUNS_MAX })
  const improvement = decideImprovements({ specs, runs }).find(({ key }) => key === proposal.key)
  if (improvement !== undefined && (await ask(world, improvement, template))) return
  const why = 'the template was changed meanwhile, and needs it no more'
  await settle(world, proposal, { status: 'declined', why })
}

async function settle(
  { store, workspace, now }: ImproveWorld,
  { key, path, questionId }: TemplateProposal,
  { status, why }: { status: 'applied' | 'declined'; why: string },
): Promise<void> {
  await store.tx(async () => {
    const words = why.slice(0, 900)
    if (!(await store.templateProposals.settle(workspace.id, key, { status, why: words, at: now() }))) return
    if (status === 'declined') return
    await store.events.append({
      id: `template:${questionId}`,
      at: now(),
      item: null,
      agentId: null,
      runId: null,
      state: null,
      event: { type: 'spec.template_changed', path, why: `${words} agreed` },
    })
  })
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
