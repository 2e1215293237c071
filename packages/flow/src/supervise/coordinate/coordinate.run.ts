// The job of the PM agent: one line for each kind of event that wakes it.
import type { FactJob } from '../../ports/jobs.ts'
import { runComponentDown } from './component.run.ts'
import { runDeadlock } from './deadlock.run.ts'
import { decideBuildFailed } from './decide.ts'
import { runAnswered, runForward } from './decision.run.ts'
import { runRedistribute } from './failed-agent.run.ts'
import type { PmWorld } from './pm-world.ts'
import { recordDecision } from './record.run.ts'
import { runStuck } from './stuck.run.ts'

/** May be killed at any line and done again: each decision counts once. */
export async function runCoordinate(world: PmWorld, job: FactJob): Promise<void> {
  const { event } = job
  switch (event.type) {
    case 'alert.stuck_task':
      return runStuck(world, job, event)
    case 'alert.component_down':
      return runComponentDown(world, job, event)
    case 'alert.deadlock':
      return runDeadlock(world, job, event)
    case 'alert.build_failed': {
      const about = { alert: event.alert, count: event.count }
      await world.store.tx(() => recordDecision(world, { job, about }, decideBuildFailed(event.context)))
      return
    }
    case 'agent.status_changed':
      return job.agentId === null ? undefined : runRedistribute(world, job, job.agentId)
    case 'decision.requested':
      return runForward(world, job, event)
    case 'question.answered':
      return runAnswered(world, event.questionId)
    default:
      return
  }
}
