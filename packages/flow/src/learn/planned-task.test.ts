// Rows of planned tasks against outcomes.
import type { GateResult } from '@treadle/contracts/gate'
import { Specification, SpecTask } from '@treadle/contracts/specification'
import { expect, test } from 'vitest'
import { green } from '../work/testing/sample.ts'
import { isLonger, type LoadedPlan, plannedTaskOf, taskDivergences } from './planned-task.ts'

const task = (id: string, file: string, action: SpecTask['action'] = 'CREATE'): SpecTask =>
  SpecTask.parse({
    id,
    phase: 'types',
    title: id,
    file,
    action,
    dependsOn: [],
    requirements: [],
    acceptance: [],
    validation: 'make check',
    owner: 'build-agent',
    estimateHours: 1,
    gotchas: [],
    template: null,
  })
const plan = (action: SpecTask['action'] = 'CREATE', hours = 1): LoadedPlan => {
  const own = task('T1', 'src/a.ts', action)
  return {
    spec: Specification.pick({
      slug: true,
      revision: true,
      specPath: true,
      tasksPath: true,
      tasks: true,
    }).parse({
      slug: 'list',
      revision: 1,
      specPath: 'users/a/spec.md',
      tasksPath: 'users/a/tasks.md',
      tasks: [own, task('T2', 'src/b.ts')],
    }),
    task: own,
    specText: 'Changed files: `src/index.ts`',
    runs: [
      {
        startedAt: '2026-01-01T00:00:00.000Z',
        endedAt: new Date(Date.parse('2026-01-01T00:00:00.000Z') + hours * 3_600_000).toISOString(),
      },
    ],
  }
}
const checked: GateResult[] = [
  (() => {
    const gate = green()
    return 'evidence' in gate ? { ...gate, evidence: { ...gate.evidence, command: 'make check' } } : gate
  })(),
]
interface Row {
  readonly changed: string[]
  readonly added?: string[]
  readonly removed?: string[]
  readonly gates?: readonly GateResult[]
  readonly passed?: boolean
  readonly plan?: LoadedPlan
}
const told = ({
  changed,
  added = [],
  removed = [],
  gates = checked,
  passed = true,
  plan: of = plan(),
}: Row) =>
  taskDivergences(of, {
    changed,
    added: new Set(added),
    removed: new Set(removed),
    gates,
    passed,
  }).map((each) => `${each.type} ${each.class}: ${each.what}`)

const mine = { changed: ['src/a.ts'], added: ['src/a.ts'] }

test.for<[string, Row, string[]]>([
  ['as it was planned', mine, []],
  [
    'another task’s file as well',
    { ...mine, changed: ['src/a.ts', 'src/b.ts'] },
    ['addition BAD:scope_creep: src/b.ts changed'],
  ],
  [
    'a file that only the specification names',
    { ...mine, changed: ['src/a.ts', 'src/index.ts'] },
    ['addition UNKNOWN: src/index.ts changed'],
  ],
  ['a test beside it', { ...mine, changed: ['src/a.ts', 'src/a.test.ts'] }, []],
  [
    'not its file, and it passed',
    { changed: [] },
    ['omission UNKNOWN: src/a.ts is the file of T1 and was not changed'],
  ],
  [
    'not its file, and it did not pass',
    { changed: [], passed: false },
    ['omission BAD:missed_requirement: src/a.ts is the file of T1 and was not changed'],
  ],
  [
    'changed where it was to be created',
    { changed: ['src/a.ts'] },
    ['modification UNKNOWN: src/a.ts was changed; T1 says CREATE'],
  ],
  [
    'removed where it was to be changed',
    { changed: ['src/a.ts'], removed: ['src/a.ts'], plan: plan('UPDATE') },
    ['modification BAD:deviation: src/a.ts was removed; T1 says UPDATE'],
  ],
  ['removed as planned', { changed: ['src/a.ts'], removed: ['src/a.ts'], plan: plan('DELETE') }, []],
  [
    'its check was run by nobody',
    { ...mine, gates: [green()] },
    ['omission UNKNOWN: the check of T1 (make check) was not run'],
  ],
  ['its check was run by nobody, and it did not pass', { ...mine, gates: [], passed: false }, []],
  ['twice the time', { ...mine, plan: plan('CREATE', 2) }, []],
  [
    'more than twice the time',
    { ...mine, plan: plan('CREATE', 2.1) },
    ['estimate UNKNOWN: T1 took 2.1 h, 1 h were planned'],
  ],
])('%s', ([, row, expected]) => {
  expect(told(row)).toEqual(expected)
})

test('the time of all runs counts, and exactly twice the estimate is still foreseen', () => {
  const { runs, ...rest } = plan('CREATE', 1)
  const twice = plannedTaskOf({ ...rest, runs: [...runs, ...runs] }, checked)
  expect(twice).toMatchObject({ actualHours: 2, estimateHours: 1, validated: 'passed' })
  expect([isLonger(twice), isLonger({ ...twice, actualHours: 2.001 })]).toEqual([false, true])
})
