// Sub-agents: each has a conversation of its own and hands back nothing but a summary.
import { SubTask } from '@treadle/contracts/paor'
import { z } from 'zod'
import { orderTasks } from '../goal/step-order.ts'
import { bounded } from '../scripted/window.ts'
import { type AgentParts, work } from './agent.ts'
import { Conversation } from './conversation.ts'
import { EXPLORE, WORKER } from './prompts.ts'
import { makeTool, type Tool, ToolFailure } from './tools/tool.ts'
import { INTERRUPTED, TurnOver } from './turn.ts'

export interface Crew {
  /** Parts that a sub-agent shares with the main one. */
  readonly parts: Omit<AgentParts, 'conversation' | 'name' | 'system' | 'tools' | 'schema'>
  /** Words that every agent is told besides its own part. */
  readonly system: string | null
  readonly reading: readonly Tool[]
  readonly writing: readonly Tool[]
  readonly parallel: number
  readonly stepsMax: number
  /** Names are not used twice in a session. */
  nameFor(by: SubTask['by']): string
}

export interface Finding {
  readonly task: SubTask
  readonly summary: string
  readonly success: boolean
}

/** Wave by wave: what depends on something starts when that is there, and what does not goes side by side. */
async function delegateAll(crew: Crew, tasks: readonly SubTask[]): Promise<Finding[]> {
  const ordered = orderTasks(tasks)
  if (ordered.is === 'faulty') throw new ToolFailure(ordered.why)
  const findings: Finding[] = []
  for (const wave of ordered.waves) findings.push(...(await delegateWave(crew, wave, findings)))
  return findings
}

export function delegateWave(
  crew: Crew,
  wave: readonly SubTask[],
  before: readonly Finding[],
): Promise<Finding[]> {
  const { turn } = crew.parts
  // The end of a turn for one ends it for all; they are waited for, so that none works on after it.
  const onBreak = (error: unknown) => turn.end(error instanceof TurnOver ? error.end : INTERRUPTED)
  return sideBySide(wave, { limit: crew.parallel, onBreak }, (task) => delegateOne(crew, task, before))
}

/** The parent waits; what comes back is an observation like that of any tool. */
async function delegateOne(crew: Crew, task: SubTask, before: readonly Finding[]): Promise<Finding> {
  const { turn } = crew.parts
  const name = crew.nameFor(task.by)
  const started = performance.now()
  const known = before.filter((finding) => task.dependsOn.includes(finding.task.id))
  const worked = await work(
    {
      ...crew.parts,
      name,
      schema: null,
      conversation: new Conversation(),
      tools: task.by === 'explore' ? crew.reading : [...crew.reading, ...crew.writing],
      system: [task.by === 'explore' ? EXPLORE : WORKER, ...(crew.system === null ? [] : [crew.system])].join(
        '\n\n',
      ),
    },
    [task.text, ...known.map(findingWords)].join('\n\n'),
    crew.stepsMax,
  )
  const success = !worked.isCutShort
  const late = `It was not done after ${crew.stepsMax} steps.`
  const summary = success ? worked.said : `${late} ${worked.said}`.trim()
  turn.observed({
    tool: task.by === 'explore' ? 'explore' : 'delegate',
    input: JSON.stringify({ id: task.id, text: task.text, dependsOn: task.dependsOn }).slice(0, 8_000),
    output: bounded(summary),
    durationMs: performance.now() - started,
    success,
    agent: name,
  })
  return { task, summary, success }
}

export function findingWords({ task, summary, success }: Finding): string {
  return `${success ? 'Findings' : 'Unfinished findings'} of ${task.id} (${task.text}):\n${summary}`
}

interface Lanes {
  readonly limit: number
  /** Told of the first error, to end the others. */
  onBreak(error: unknown): void
}

async function sideBySide<T, R>(
  all: readonly T[],
  { limit, onBreak }: Lanes,
  make: (one: T) => Promise<R>,
): Promise<R[]> {
  const made: R[] = []
  const broken: unknown[] = []
  let next = 0
  const lane = async () => {
    for (let at = next++; at < all.length && broken.length === 0; at = next++) {
      const one = all[at]
      if (one !== undefined) made[at] = await make(one)
    }
  }
  const lanes = Array.from({ length: Math.min(limit, all.length) }, () =>
    lane().catch((error: unknown) => {
      if (broken.push(error) === 1) onBreak(error)
    }),
  )
  await Promise.all(lanes)
  if (broken.length > 0) throw broken[0]
  return made
}

const Delegated = z.object({
  tasks: z
    .array(
      z.object({
        id: z.string().min(1).max(60),
        text: z.string().min(1).max(4_000).describe('All that the sub-agent has to know'),
        dependsOn: z.array(z.string()).optional(),
        by: z.enum(['self', 'explore']).optional().describe('explore: reads only, answers with a summary'),
      }),
    )
    .min(1)
    .max(20),
})

export function delegateTool(crew: Crew): Tool {
  return makeTool({
    name: 'delegate',
    description:
      'Gives parts of the work to sub-agents with a context of their own, in the order of their dependencies, and waits. Use explore to understand a large code base.',
    // Each tool of a sub-agent is asked about by itself.
    isReading: true,
    input: Delegated,
    async run({ tasks }) {
      const whole = tasks.map((task) => SubTask.parse(task))
      const findings = await delegateAll(crew, whole)
      return {
        output: findings.map(findingWords).join('\n\n'),
        success: findings.every(({ success }) => success),
      }
    },
  })
}
