// The clock of a build: it stands while everything waits for a person, and while the build does not run.
import type { Build } from '@treadle/contracts/build'

type Clock = Pick<Build, 'workedMs' | 'workingSince'>

export function workedMs({ workedMs: before, workingSince }: Clock, now: Date): number {
  return workingSince === null ? before : before + Math.max(0, now.getTime() - Date.parse(workingSince))
}

/** Whatever it was worked, before it was stopped and gone on with as well. */
export function workedInAll(build: Clock & Pick<Build, 'earlierMs'>, now: Date): number {
  return build.earlierMs + workedMs(build, now)
}

/** The clock as it goes on from now, running or standing. */
export function clockAt(clock: Clock, now: Date, runs: boolean): Clock {
  if (runs === (clock.workingSince !== null)) return { ...clock }
  return { workedMs: workedMs(clock, now), workingSince: runs ? now.toISOString() : null }
}
