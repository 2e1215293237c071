// The items of a build: one for each task, and one that brings the whole onto the target. Pure.
import type { Build } from '@treadle/contracts/build'
import { NewItem } from '@treadle/contracts/item'
import type { Specification, SpecTask } from '@treadle/contracts/specification'
import type { AddedItem } from '../../ports/items.ts'
import { type TaskTextFacts, taskText } from './task-text.ts'

const BUILD_LABEL = 'build'
const TITLE_MAX = 300
const CRITERIA_MAX = 100

export function deliveryItem(spec: Specification, build: Build): AddedItem {
  const given = NewItem.parse({
    projectNumber: build.projectNumber,
    title: titled(`Deliver ${spec.title}`),
    body: [
      `The whole of ${build.branch}: the build of the specification of ${spec.slug}, revision ${spec.revision}.`,
      `Its change is computed from that branch when every task is done or skipped; no engine writes it.`,
      `Specification: ${spec.specPath}`,
    ].join('\n\n'),
    labels: [BUILD_LABEL],
    acceptance: spec.criteria
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .slice(0, CRITERIA_MAX),
    source: 'spec',
  })
  return { ...given, build: build.id }
}

export interface TaskItemFacts extends TaskTextFacts {
  readonly build: Build
  readonly delivery: number
  /** The items of the tasks that it waits for. */
  readonly dependsOn: readonly number[]
  /** Whose its file is; null: the crew's. */
  readonly owner: string | null
}

export function taskItem(facts: TaskItemFacts): AddedItem {
  const { task, build, delivery, dependsOn, owner } = facts
  const given = NewItem.parse({
    projectNumber: build.projectNumber,
    title: titled(`${task.id}: ${task.title}`),
    body: taskText(facts),
    labels: [BUILD_LABEL],
    acceptance: task.acceptance
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .slice(0, CRITERIA_MAX),
    testCommand: task.validation,
    // Whoever approved the specification wants this test gone.
    mayChangeTests: task.action === 'DELETE' && task.phase === 'tests',
    parent: delivery,
    dependsOn: [...dependsOn],
    files: [task.file],
    phase: task.phase,
    estimateHours: task.estimateHours,
    source: 'spec',
    specTask: {
      spec: build.spec,
      revision: build.revision,
      id: task.id,
      action: task.action,
      ...(task.expected === undefined ? {} : { expected: task.expected }),
    },
    target: build.branch,
  })
  return { ...given, build: build.id, owner }
}

function titled(text: string): string {
  return text.length > TITLE_MAX ? `${text.slice(0, TITLE_MAX - 1)}…` : text
}

/** In an order in which each comes after those that it waits for; by phase where that leaves a choice. */
export function inBuildOrder(tasks: readonly SpecTask[]): SpecTask[] {
  const placed = new Set<string>()
  const ordered: SpecTask[] = []
  let left = [...tasks]
  while (left.length > 0) {
    const next = left.find(({ dependsOn }) => dependsOn.every((id) => placed.has(id)))
    if (next === undefined) throw new Error('the tasks of an approved specification wait for each other')
    placed.add(next.id)
    ordered.push(next)
    left = left.filter((task) => task !== next)
  }
  return ordered
}
