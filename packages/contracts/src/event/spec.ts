// What is told of a specification.
import { z } from 'zod'
import { Slug } from '../idea.ts'
import { count, event, firstLine, line, type Sentences } from './shape.ts'

const spec = { spec: Slug, revision: z.int().min(1) }

/** Facts that move no item. */
const facts = [
  event('spec.generated', {
    ...spec,
    tasks: z.int().min(0),
    problems: z.int().min(0),
    writtenBy: z.string().max(60),
  }),
  event('spec.revision_requested', { ...spec, by: z.string().max(200), text: z.string().max(4_000) }),
  event('spec.approved', { ...spec, by: z.string().max(200) }),
] as const

export const specEvents = {
  facts,
  sentences: {
    'spec.generated': ({ spec, revision, tasks, problems }) =>
      line(
        `The specification of ${spec} is ready`,
        `revision ${revision}, ${count(tasks, 'task')}${problems === 0 ? '' : `, ${count(problems, 'problem')}`}`,
        problems === 0 ? 'good' : 'attention',
      ),
    'spec.revision_requested': ({ spec, by, text }) =>
      line(`${by} asked for changes to the specification of ${spec}`, firstLine(text)),
    'spec.approved': ({ spec, revision, by }) =>
      line(`${by} approved the specification of ${spec}`, `revision ${revision}`, 'good'),
  } satisfies Sentences<(typeof facts)[number]>,
}
