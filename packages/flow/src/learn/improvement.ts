// Improvements of the templates of spec.md and tasks.md: when the same gap shows again and again. Pure.
import type { GapKind, PlanningRetrospective } from '@treadle/contracts/planning-retrospective'
import type { Retrospective } from '@treadle/contracts/retrospective'
import { isLonger } from './planned-task.ts'

export interface Improvement {
  /** Which improvement of which template; asked about once. */
  readonly key: string
  readonly template: 'spec' | 'tasks'
  readonly kind: GapKind
  /** What is found again and again, for people. */
  readonly gap: string
  /** How many of how many have it. */
  readonly count: number
  readonly looked: number
}

/** So many that have the same gap are several, if they are at least half of those that were looked at. */
const SEVERAL = 3
export const LOOKED_MAX = 10
const SHARE_MIN = 0.5

interface ImprovementRow {
  readonly template: Improvement['template']
  readonly gap: string
  /** What is put in, and the line that it goes before; null: to the end of the head. */
  readonly before: string | null
  readonly text: string
}

/** What helps against which gap. Places in double braces are filled when a specification is generated. */
const ROWS: Partial<Readonly<Record<GapKind, ImprovementRow>>> = {
  unchecked_criterion: {
    template: 'spec',
    gap: 'criteria that no program can check',
    before: '## Layout',
    text: '## For a person to judge\n\nSay for each by which number, example or screen it is judged, and by whom.\n\n{{judged}}',
  },
  unserved_requirement: {
    template: 'spec',
    gap: 'requirements that no task serves',
    before: '## Layout',
    text: '## Requirements without a task\n\nAdd a task for each, or take the requirement out.\n\n{{unserved}}',
  },
  missing_input: {
    template: 'spec',
    gap: 'documents and answers that are missing',
    before: '## Functional requirements',
    text: '## Still to be written\n\nDefaults hold until somebody writes these.\n\n{{not_written}}',
  },
  weak_check: {
    template: 'tasks',
    gap: 'tasks whose check only sees that the file is there',
    before: null,
    text: '> These have a check that only sees that the file is there; give them a command that fails until the work is done: {{weak_checks}}',
  },
  unplanned_file: {
    template: 'tasks',
    gap: 'changes to files that no task names',
    before: null,
    text: '> Before you approve: which files must change along with these? Runs so far have changed files that no task named.',
  },
  underestimate: {
    template: 'tasks',
    gap: 'runs that take more than twice the estimate',
    before: null,
    text: '> Before you approve: look at the estimates. Runs so far have taken more than twice the time that was planned.',
  },
}

export interface ImprovementFacts {
  /** Of each specification the last one that was looked at, newest first. */
  readonly specs: readonly PlanningRetrospective[]
  /** Newest first. */
  readonly runs: readonly Pick<Retrospective, 'item' | 'plan' | 'divergences'>[]
}

export function decideImprovements({ specs, runs }: ImprovementFacts): Improvement[] {
  const ofSpecs = specs.slice(0, LOOKED_MAX).map(({ gaps }) => new Set(gaps.map(({ kind }) => kind)))
  const ofTasks = distinct(runs).slice(0, LOOKED_MAX).map(gapsOfRun)
  return [...repeated(ofSpecs), ...repeated(ofTasks)]
}

/** Of each item the last look back, where it was made of a task. */
function distinct(runs: ImprovementFacts['runs']): ImprovementFacts['runs'][number][] {
  const items = new Set<string>()
  return runs.filter(({ item, plan }) => {
    const label = `${item.projectNumber}/${item.number}`
    if (plan === null || items.has(label)) return false
    items.add(label)
    return true
  })
}

function gapsOfRun({ plan, divergences }: ImprovementFacts['runs'][number]): Set<GapKind> {
  const kinds: GapKind[] = []
  if (plan !== null && isLonger(plan)) kinds.push('underestimate')
  const isUnplanned = ({ type, kind }: Retrospective['divergences'][number]) =>
    type === 'addition' && kind !== 'enhancement' && kind !== 'best_practice'
  if (divergences.some(isUnplanned)) kinds.push('unplanned_file')
  return new Set(kinds)
}

function repeated(looked: readonly ReadonlySet<GapKind>[]): Improvement[] {
  return (Object.keys(ROWS) as GapKind[]).flatMap((kind) => {
    const row = ROWS[kind]
    const count = looked.filter((gaps) => gaps.has(kind)).length
    if (row === undefined || count < SEVERAL || count < looked.length * SHARE_MIN) return []
    const { template, gap } = row
    return [{ key: `${template}/${kind}`, template, kind, gap, count, looked: looked.length }]
  })
}

/** The template with the improvement; null: it has it already, or there is none. */
export function improved(text: string, { kind }: Pick<Improvement, 'kind'>): string | null {
  const row = ROWS[kind]
  if (row === undefined) return null
  const [mark = ''] = row.text.split('\n', 1)
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n')
  if (lines.some((line) => line.trim() === mark)) return null
  const at = lines.findIndex((line) =>
    row.before === null ? /^(?:## |\{\{)/.test(line) : line.trim() === row.before,
  )
  const place = at === -1 ? lines.length : at
  const head = lines.slice(0, place).join('\n').trimEnd()
  const tail = lines.slice(place).join('\n')
  return `${[head, row.text, tail].filter((part) => part !== '').join('\n\n')}\n`
}
