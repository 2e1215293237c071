// A reporter for StrykerJS: writes when its start-up was over and how many mutants it had tested by when.
import { writeFileSync } from 'node:fs'

type Result = { status: string }

const startedAt = Date.now()
let readyAt = startedAt
let lastAt = startedAt
const statuses: Record<string, number> = {}

const clock = {
  // The first run of all tests is over; from here on mutants are tested.
  onMutationTestingPlanReady(): void {
    readyAt = Date.now()
  },
  onMutantTested({ status }: Result): void {
    lastAt = Date.now()
    statuses[status] = (statuses[status] ?? 0) + 1
  },
  onMutationTestReportReady(): void {
    writeFileSync(
      'stryker-clock.json',
      JSON.stringify({ testingSeconds: (lastAt - readyAt) / 1_000, statuses }),
    )
  },
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'clock', value: clock }]
