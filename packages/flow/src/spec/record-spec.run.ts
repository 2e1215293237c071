// Writes spec.md and tasks.md, and records the revision that they are.
import type { Fact } from '@treadle/contracts/event'
import type { Specification, SpecTask } from '@treadle/contracts/specification'
import type { Design } from './design-spec.ts'
import type { GenerateRequest, Past } from './generate-request.ts'
import { orderTasks } from './order-tasks.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'

interface Recording {
  readonly request: GenerateRequest
  readonly past: Past
  readonly spec: Specification
  readonly design: Design
  readonly noted: readonly string[]
  readonly texts: { readonly spec: string; readonly tasks: string }
}

type Recorded =
  | { readonly is: 'generated'; readonly spec: Specification }
  | { readonly is: 'settled' | 'overtaken' }
  | Extract<SpecRefusal, { is: 'refused' }>

/** Files first: whoever is killed before it is recorded finds them again as what stands in tasks.md. */
export async function record(
  world: SpecWorld,
  { request, past, spec, design, noted, texts }: Recording,
): Promise<Recorded> {
  const tasks = await writeOne(world, { path: spec.tasksPath, text: texts.tasks, heeded: past.text })
  if (tasks.is === 'refused') return tasks
  const document = await writeOne(world, { path: spec.specPath, text: texts.spec, heeded: null })
  if (document.is === 'refused') return document
  const beside = [...tasks.beside, ...document.beside]
  const whole = withBeside(spec, { beside, theirs: tasks.beside.length > 0 ? past.theirs : null })
  const kept = { spec: whole, specText: document.text, tasksText: tasks.text, generated: design.tasks, noted }
  return world.store
    .tx(async (): Promise<Recorded> => {
      // Locked before the revision, in the order of everybody else.
      if (request.settle !== undefined && !(await request.settle())) return { is: 'settled' }
      await world.store.specifications.lock(spec.slug)
      if (!(await world.store.specifications.add(kept))) throw new Overtaken()
      for (const event of eventsOf(whole, request)) await append(world, event)
      return { is: 'generated', spec: whole }
    })
    .catch((error: unknown) => {
      if (error instanceof Overtaken) return { is: 'overtaken' }
      throw error
    })
}

/** Takes back the whole transaction: this revision was recorded by somebody else. */
class Overtaken extends Error {}

function withBeside(
  spec: Specification,
  { beside, theirs }: { beside: readonly string[]; theirs: readonly SpecTask[] | null },
): Specification {
  if (beside.length === 0) return spec
  const note = beside.map(
    (path) => `A person's file stays as it is; what Treadle would have written is in ${path}`,
  )
  const validation = { ...spec.validation, missing: [...spec.validation.missing, ...note].slice(0, 200) }
  const tasks = theirs === null ? spec.tasks : [...orderTasks(theirs).tasks]
  return { ...spec, beside: [...beside], tasks, validation }
}

type Written = { readonly is: 'written'; readonly text: string; readonly beside: readonly string[] }

/** The text is what stands in the file afterwards. */
async function writeOne(
  { documents }: SpecWorld,
  { path, text, heeded }: { path: string; text: string; heeded: string | null },
): Promise<Written | Extract<SpecRefusal, { is: 'refused' }>> {
  const written = await documents.write(path, text, ...(heeded === null ? [] : [heeded]))
  switch (written.is) {
    case 'written':
    case 'unchanged':
      return { is: 'written', text, beside: [] }
    case 'beside':
      return { is: 'written', text: (await documents.read(path)).text ?? text, beside: [written.besidePath] }
    case 'refused':
      return {
        is: 'refused',
        message: `${path} was not written: ${written.why}.`,
        hint: 'Nothing is lost: end that first, then generate again.',
      }
  }
}

function eventsOf(spec: Specification, { requests = [] }: GenerateRequest): Fact[] {
  const { slug, revision, tasks, validation, writtenBy } = spec
  return [
    ...requests.map(
      (request): Fact => ({ type: 'spec.revision_requested', spec: slug, revision, ...request }),
    ),
    {
      type: 'spec.generated',
      spec: slug,
      revision,
      tasks: tasks.length,
      problems: validation.problems.length,
      writtenBy,
    },
  ]
}

export async function append(
  { store, uuid, now }: Pick<SpecWorld, 'store' | 'uuid' | 'now'>,
  event: Fact,
): Promise<void> {
  await store.events.append({
    id: uuid(),
    at: now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event,
  })
}
