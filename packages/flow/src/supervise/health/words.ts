// An alert as the owner is told of it: title, what is known, what to do about it. Pure.
import type { HealthAlert, NewNotification, NextStep } from '@treadle/contracts/notification'
import { clean, cut, ofItem, step } from '../notify/words.ts'
import { type Finding, LEVELS } from './judge.ts'

const TEXT_MAX = 1_500

/** The finding has an alert. */
export function alertOf(finding: Finding, redact: (text: string) => string): NewNotification | null {
  const { alert, subject, text, details, fact } = finding
  if (alert === null) return null
  return {
    type: alert,
    level: LEVELS[alert],
    title: cut(clean(redact(text)).replaceAll(/\s+/g, ' '), 200),
    text: cut(clean(redact(details.join('\n'))), TEXT_MAX),
    nextSteps: STEPS[alert](finding),
    subject,
    blocking: false,
    item: fact?.item ?? null,
    questionId: null,
    ...(fact === undefined ? {} : { source: fact.source, context: fact.context }),
  }
}

type Steps = (finding: Finding) => NextStep[]
const look = step('See how the crew is', 'treadle status')
const doctor = step('Check that everything is here', 'treadle doctor')
const restart: Steps = ({ agentId }) => [
  step('Restart the agent', `treadle agent restart ${agentId ?? ''}`),
  look,
]
const ROLLBACK: readonly NextStep[] = [
  step('Go back to one agent; no work is lost', 'treadle rollback --phase 2'),
  step('Stop everyone at once', 'treadle stop-all'),
]

const STEPS: Readonly<Record<HealthAlert, Steps>> = {
  'health.agent_degraded': () => [look],
  'health.agent_unresponsive': restart,
  'health.agent_stuck': restart,
  'health.errors_rising': () => [look],
  'health.error_rate': restart,
  'health.queue_low': () => [step('Add an item', 'treadle add "what should change"')],
  'health.queue_high': () => [step('See what waits', 'treadle list'), look],
  'health.all_crashed': () => [look, doctor, ...ROLLBACK],
  'health.crash_rate': () => [look, ...ROLLBACK],
  'health.loop_stalled': () => [look, step('See what waits', 'treadle list')],
  'health.budget_overrun': () => [step('See what was spent', 'treadle costs'), ...ROLLBACK],
  'health.data_damaged': () => [doctor, ...ROLLBACK],
  'health.git_changed': () => [
    step('See what it says', 'git config --local --list --show-origin'),
    step('Take it as it is', 'treadle down && treadle up'),
  ],
  'alert.stuck_task': ({ fact }) => [
    ...(fact?.item == null ? [] : [step('Look at it', ofItem('treadle show', fact.item))]),
    ...(fact?.item == null ? [] : [step('Take it from its agent', ofItem('treadle withdraw', fact.item))]),
    look,
  ],
  'alert.deadlock': () => [look],
  'alert.component_down': () => [look, doctor],
  'alert.build_failed': () => [look],
}
