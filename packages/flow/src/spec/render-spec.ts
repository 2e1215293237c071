// spec.md and tasks.md, from templates: what people read, edit and approve.
import { type Specification, type SpecTask, TASK_PHASES } from '@treadle/contracts/specification'
import { stringify } from 'yaml'
import { fillTemplate, type RenderedSection } from './fill-template.ts'
import { isWeakCheck } from './weak-check.ts'

export interface SpecSource {
  readonly spec: Omit<
    Specification,
    'specPath' | 'tasksPath' | 'beside' | 'approvedAt' | 'approvedBy' | 'status'
  >
  readonly targetUser: string
  readonly problem: string
  readonly solution: string
  readonly risks: readonly string[]
  /** What stands in CLAUDE.md under the headings that are about specifications. */
  readonly conventions: readonly { readonly heading: string; readonly text: string }[]
  /** Where the profile comes from, a line each. */
  readonly profile: readonly string[]
  /** Code that is there and like what is asked for, a line each. */
  readonly existing: readonly string[]
  /** Lessons that apply to what is new. */
  readonly patterns: readonly string[]
  /** Requests that no rule understood. */
  readonly open: readonly string[]
  /** What was found missing while the documents were read. */
  readonly noted: readonly string[]
  /** Optional documents that were read. */
  readonly documents: readonly string[]
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** One line, so that no text of others begins a heading or a block of its own. */
function line(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^([#>|`~-]|\d+[.)])/, '\\$1')
    .trim()
}

function bullets(texts: readonly string[], none: string): string[] {
  return texts.length === 0 ? [none] : texts.map((text) => `- ${line(text)}`)
}

function section(title: string, lines: readonly string[]): RenderedSection[] {
  return [{ title, lines }]
}

/** Several lines, none of which begins a heading, a rule or a block. */
function quietText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((each) => each.trimEnd().replace(/^(\s*)(#|```|~~~|>|---|===|<)/, '$1\\$2'))
    .join('\n')
}

/** Sections that are there only if there is something to say. */
function optional(title: string, lines: readonly string[]): RenderedSection[] {
  return lines.length === 0 ? [] : section(title, bullets(lines, ''))
}

export function renderSpec(source: SpecSource, template: string): string {
  const { spec } = source
  const words = {
    title: line(spec.title),
    written_by: spec.writtenBy === 'rules' ? 'rules' : line(spec.writtenBy),
    revision: String(spec.revision),
    complexity: spec.complexity,
  }
  return fillTemplate(template, { words, sections: sectionsOf(source), asked: askedFor(source) })
}

/** What a template may ask for beyond what is always told. */
function askedFor({ spec, noted }: SpecSource): Record<string, string> {
  const served = new Set(spec.tasks.flatMap((task) => task.requirements))
  const list = (texts: readonly string[]) => bullets(texts, '').join('\n')
  return {
    judged: list(spec.criteria.filter(({ check }) => check === null).map(({ id, text }) => `${id}: ${text}`)),
    unserved: list(
      spec.requirements.filter(({ id }) => !served.has(id)).map(({ id, text }) => `${id}: ${text}`),
    ),
    not_written: list(noted),
  }
}

function sectionsOf(source: SpecSource): RenderedSection[] {
  const { spec } = source
  return [
    ...section('Overview', [
      `- For: ${line(source.targetUser) || 'not said'}`,
      `- Problem: ${line(source.problem) || 'not said'}`,
      `- Solution: ${line(source.solution) || 'not said'}`,
    ]),
    ...requirementLines(source),
    ...architectureLines(source),
    ...source.conventions.flatMap(({ heading, text }) => section(heading, [text.trim()])),
    ...optional('Patterns that have held before', source.patterns),
    ...optional('Risks', source.risks),
    ...section(
      'Tasks',
      bullets(
        spec.tasks.map(({ id, phase, title, file, dependsOn, estimateHours }) => {
          const after = dependsOn.length === 0 ? '' : `, after ${dependsOn.join(', ')}`
          return `${id} (${phase}): ${title}; ${file}, ${estimateHours} h${after}`
        }),
        'There is no task yet.',
      ),
    ),
    ...optional('Asked for, and still to be decided', source.open),
    ...validationLines(spec.validation),
    ...optional('Read for it', source.documents),
  ]
}

function requirementLines({ spec }: SpecSource): RenderedSection[] {
  const of = (kind: 'functional' | 'non_functional') =>
    spec.requirements.filter((each) => each.kind === kind).map(({ id, text }) => `${id}: ${text}`)
  return [
    ...section('Functional requirements', bullets(of('functional'), 'None was found.')),
    ...section('Non-functional requirements', bullets(of('non_functional'), 'None was found.')),
    ...section(
      'Done when',
      bullets(
        spec.criteria.map(({ id, text, task, check }) => {
          const shown = check === null ? 'a person judges' : `checked by ${check}`
          return `${id}: ${text} (${task === null ? '' : `task ${task}, `}${shown})`
        }),
        'The brief does not say.',
      ),
    ),
  ]
}

function architectureLines({ spec, profile, existing }: SpecSource): RenderedSection[] {
  return [
    ...(spec.architecture === '' ? [] : section('Architecture', [quietText(spec.architecture)])),
    ...section('Layout', bullets(profile, '')),
    ...section(
      'New files',
      bullets(
        spec.newFiles.map(({ path, purpose, owner }) => `${path}: ${purpose} (owner: ${owner})`),
        'None.',
      ),
    ),
    ...section(
      'Changed files',
      bullets(
        spec.modifications.map(({ path, changes, owner }) => `${path}: ${changes} (owner: ${owner})`),
        'None.',
      ),
    ),
    ...section(
      'Data',
      bullets(
        spec.dataModels.map(
          ({ name, fields }) =>
            `${name}: ${fields.map((field) => `${field.name} (${field.type})`).join(', ')}`,
        ),
        'Nothing is kept.',
      ),
    ),
    ...optional('Code that is there', existing),
  ]
}

function validationLines({ ok, problems, missing, shares }: Specification['validation']): RenderedSection[] {
  return section('Validation', [
    ok ? 'There are no problems.' : 'There are problems.',
    '',
    `- Features with a task: ${percent(shares.features)}`,
    `- Criteria with a test: ${percent(shares.criteria)}`,
    `- Requirements that are served: ${percent(shares.requirements)}`,
    `- Tasks that serve one: ${percent(shares.tasks)}`,
    `- Criteria that a program checks: ${percent(shares.checks)}`,
    ...(problems.length === 0 ? [] : ['', 'Problems:', '', ...bullets(problems, '')]),
    ...(missing.length === 0 ? [] : ['', 'Open points:', '', ...bullets(missing, '')]),
  ])
}

export function renderTasks(
  { title, revision }: Pick<Specification, 'title' | 'revision'>,
  tasks: readonly SpecTask[],
  { notes, template }: { readonly notes: readonly string[]; readonly template: string },
): string {
  const phases = TASK_PHASES.flatMap((phase) => {
    const own = tasks.filter((task) => task.phase === phase)
    return own.length === 0 ? [] : ['', `## ${phase}`, ...own.flatMap(taskLines)]
  })
  const weak = tasks.filter(({ validation }) => isWeakCheck(validation)).map(({ id }) => id)
  const words = { title: line(title), revision: String(revision), tasks: phases.join('\n').trim() }
  const isEmpty = notes.every((note) => note.trim() === '')
  return fillTemplate(template, {
    words,
    sections: isEmpty ? [] : [{ title: 'Notes', lines: notes }],
    asked: { weak_checks: weak.join(', ') },
  })
}

function taskLines(task: SpecTask): string[] {
  const { gotchas, template, ...rest } = task
  const shown = {
    ...rest,
    ...(gotchas.length === 0 ? {} : { gotchas }),
    ...(template === null ? {} : { template }),
  }
  return [
    '',
    `### ${task.id} ${line(task.title)}`,
    '',
    '```yaml',
    stringify(shown, { lineWidth: 0 }).trimEnd(),
    '```',
  ]
}
