// What an engine that reads is told: the item, what counts as done, and the evidence of what fails.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'

export interface PromptFacts {
  readonly item: Item
  readonly attempt: number
  readonly testCommand: string | null
  readonly evidence: readonly GateResult[]
}

const FAILURES_SHOWN_MAX = 50

export function failuresIn(gates: readonly GateResult[]): TestFailure[] {
  return gates.flatMap((gate) => (gate.is === 'failed' ? gate.failures : [])).slice(0, FAILURES_SHOWN_MAX)
}

export function writePrompt({ item, attempt, testCommand, evidence }: PromptFacts): string {
  const criteria = item.acceptance.map((criterion) => `- ${criterion.text}`)
  const failures = failuresIn(evidence).map(
    (failure) => `- ${failure.id}: ${failure.message.split('\n', 1)[0]}`,
  )
  return [
    `# #${item.number} ${item.title}`,
    ...(item.body === '' ? [] : [item.body]),
    ...(criteria.length === 0 ? [] : ['## Done when', criteria.join('\n')]),
    ...(item.needsRework && item.reason !== null ? ['## Sent back with', item.reason] : []),
    ...(failures.length === 0
      ? []
      : [
          attempt === 1 ? '## What fails now' : '## What failed after your last attempt',
          failures.join('\n'),
        ]),
    ...(testCommand === null
      ? []
      : [`Tests are run with: ${testCommand}`, 'Do not change or remove tests to make them pass.']),
  ].join('\n\n')
}
