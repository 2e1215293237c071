// What is told of a specification.
import { z } from 'zod'
import { Slug } from '../idea.ts'
import { count, event, firstLine, line, type Sentences, why } from './shape.ts'

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
  /** Somebody looked back on how good it is. */
  event('spec.reviewed', { ...spec, gaps: z.int().min(0) }),
  /** A person agreed to a change of the template that specifications are written by. */
  event('spec.template_changed', { path: z.string().max(500), why: z.string().max(1_000) }),
  event('spec.approved', {
    ...spec,
    by: z.string().max(200),
    /** Whose idea it is; absent in what older versions recorded. */
    idea: Slug.optional(),
    userSlug: Slug.optional(),
  }),
  /** The daemon was to generate it by itself, and could not. */
  event('spec.refused', { spec: Slug, why }),
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
    'spec.reviewed': ({ spec, revision, gaps }) =>
      line(`Retrospective for the specification of ${spec}`, `revision ${revision}, ${count(gaps, 'gap')}`),
    'spec.template_changed': ({ path, why }) =>
      line(`The template ${path} was changed`, firstLine(why), 'good'),
    'spec.approved': ({ spec, revision, by }) =>
      line(`${by} approved the specification of ${spec}`, `revision ${revision}`, 'good'),
    'spec.refused': ({ spec, why }) => line(`There is no specification of ${spec}`, why, 'attention'),
  } satisfies Sentences<(typeof facts)[number]>,
}
