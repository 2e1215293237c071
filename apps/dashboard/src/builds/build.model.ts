// A build in words: where it and its tasks stand, what it was expected to cost, what failed and what to do.
import type { Build, BuildTask, BuildView, TaskFailure } from '@treadle/contracts/build'
import { count } from '@treadle/contracts/event/shape'
import type { Clearance } from '@treadle/contracts/lock'
import { clearanceWords } from '@treadle/contracts/words/clearance'
import { usd } from '@treadle/contracts/words/money'
import { STATE_WORDS, type Tone } from '@treadle/contracts/words/state'

interface Words {
  readonly words: string
  readonly tone: Tone
}

export const BUILD_STATUS: Record<Build['status'], Words> = {
  priming: { words: 'Starting', tone: 'busy' },
  running: { words: 'Running', tone: 'busy' },
  stopped: { words: 'Stopped', tone: 'attention' },
  completed: { words: 'Completed', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
}

/** `clearance`: what keeps its item from being begun besides other tasks; null: not known. */
export function taskStatus(task: BuildTask, clearance: Clearance | null): Words {
  const { status, state, ready, needsHuman } = task
  switch (status) {
    case 'complete':
      return { words: 'Merged', tone: 'good' }
    case 'failed':
      return { words: 'Failed', tone: 'bad' }
    case 'skipped':
      return { words: 'Skipped', tone: 'plain' }
    case 'in_progress':
      return needsHuman
        ? { words: 'Waits for you', tone: 'attention' }
        : { words: stateWords(state), tone: 'busy' }
    case 'pending':
      return { words: isHeld(clearance) ? clearanceWords(clearance) : ready, tone: 'plain' }
  }
}

/** What waits for other tasks is told by their own ids. */
function isHeld(clearance: Clearance | null): clearance is Clearance {
  return clearance?.is === 'locked' || clearance?.is === 'owned'
}

/** The words of an item's state, as everywhere else. */
export function stateWords(state: string): string {
  return new Map(Object.entries(STATE_WORDS)).get(state)?.words ?? state
}

export function mayStop({ status }: Pick<Build, 'status'>): boolean {
  return status === 'priming' || status === 'running'
}

export function mayResume({ status }: Pick<Build, 'status'>): boolean {
  return status === 'stopped' || status === 'failed'
}

export function mayRetry({ status }: Pick<BuildTask, 'status'>): boolean {
  return status === 'failed' || status === 'skipped'
}

/** What a person is to do; null: nothing. */
export function todoOf(build: Pick<BuildView, 'status' | 'tasks' | 'hint'>): string | null {
  const failed = build.tasks.find(({ status }) => status === 'failed')
  if (mayResume(build))
    return failed === undefined
      ? 'Nothing is lost. Resume goes on with it.'
      : `Nothing is lost. Retry ${failed.id}, or resume to go on with the rest.`
  if (failed !== undefined) return `${failed.id} failed. Retry it, or withdraw its item to leave it out.`
  if (build.status !== 'running' || build.hint === null) return null
  const waiting = build.tasks.find(({ needsHuman }) => needsHuman)
  return waiting === undefined ? 'The delivery waits for your review.' : `${waiting.id} waits for you.`
}

/** The range that was expected, and how often such ranges held; null: no forecast was made. */
export function forecastWords({ forecast }: Pick<Build, 'forecast'>): string | null {
  if (forecast === null) return null
  const { usd: money, hours, basedOn, held } = forecast
  if (money === null || hours === null) return `None yet: ${count(basedOn, 'item')} finished so far`
  const range = `${usd(money.low)} to ${usd(money.high)}, ${hours.low.toFixed(1)} to ${hours.high.toFixed(1)} h`
  const kept = held.forecasts === 0 ? 'not tried yet' : `held ${held.within} of ${held.forecasts} times`
  return `${range} (from ${count(basedOn, 'item')}; ${kept})`
}

const DECISIONS: Record<TaskFailure['decision'], string> = {
  RETRY: 'Tried again',
  INSTALL_AND_RETRY: 'Tried again with the missing package',
  REBASE_AND_RETRY: 'Tried again on the newest branch',
  SKIP: 'Skipped',
  ESCALATE: 'Waits for you',
}

export function failureWords({ attempt, decision, reason }: TaskFailure): string {
  return `Attempt ${attempt}: ${reason} → ${DECISIONS[decision]}`
}
