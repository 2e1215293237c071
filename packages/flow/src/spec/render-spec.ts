// spec.md and tasks.md, from templates: what people read, edit and approve.
import { type Specification, type SpecTask, TASK_PHASES } from '@treadle/contracts/specification'
import { stringify } from 'yaml'

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

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...lines]
}

/** Sections that are there only if there is something to say. */
function optional(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : section(title, bullets(lines, ''))
}

export function renderSpec(source: SpecSource): string {
  const { spec } = source
  return [
    `# Specification: ${line(spec.title)}`,
    '',
    `> Treadle wrote this by ${spec.writtenBy === 'rules' ? 'rules' : line(spec.writtenBy)}, revision ${spec.revision}, ${spec.complexity}. Edit it at will: what you change stays.`,
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
    '',
  ].join('\n')
}

function requirementLines({ spec }: SpecSource): string[] {
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

function architectureLines({ spec, profile, existing }: SpecSource): string[] {
  return [
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

function validationLines({ ok, problems, missing, shares }: Specification['validation']): string[] {
  return section('Validation', [
    ok ? 'It holds.' : 'It has problems.',
    '',
    `- Features with a task: ${percent(shares.features)}`,
    `- Criteria with a test: ${percent(shares.criteria)}`,
    `- Requirements that are served: ${percent(shares.requirements)}`,
    `- Tasks that serve one: ${percent(shares.tasks)}`,
    `- Criteria that a program checks: ${percent(shares.checks)}`,
    ...(problems.length === 0 ? [] : ['', 'Problems:', '', ...bullets(problems, '')]),
    ...(missing.length === 0 ? [] : ['', 'Missing, or for a person to decide:', '', ...bullets(missing, '')]),
  ])
}

export function renderTasks(
  { title, revision }: Pick<Specification, 'title' | 'revision'>,
  tasks: readonly SpecTask[],
  notes: readonly string[],
): string {
  return [
    `# Tasks: ${line(title)}`,
    '',
    `> Treadle wrote these, revision ${revision}, and reads the YAML blocks back. Edit, add or take out what you like.`,
    ...TASK_PHASES.flatMap((phase) => {
      const own = tasks.filter((task) => task.phase === phase)
      return own.length === 0 ? [] : ['', `## ${phase}`, ...own.flatMap(taskLines)]
    }),
    ...(notes.every((note) => note.trim() === '') ? [] : ['', '## Notes', '', ...notes]),
    '',
  ].join('\n')
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
