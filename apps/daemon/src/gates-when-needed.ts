// The gates and the checks of a review, loaded by the first who asks for them: a daemon that waits holds none of it.
import { fileURLToPath } from 'node:url'
import type { Gates } from '@treadle/flow/ports/gates'
import type { ReviewChecks } from '@treadle/flow/ports/review-checks'
import { detectTestCommand } from '@treadle/gates/detect-commands'
import type { GateOptions } from '@treadle/gates/tests'

const STRENGTH_MAIN = fileURLToPath(new URL('../../agent/src/strength.ts', import.meta.url))
const FINDING_MAIN = fileURLToPath(new URL('../../agent/src/finding.ts', import.meta.url))
const INPUTS_MAIN = fileURLToPath(new URL('../../agent/src/inputs.ts', import.meta.url))

export function gatesWhenNeeded(options: GateOptions): Gates {
  let opened: Promise<Gates> | undefined
  const gates = (): Promise<Gates> => {
    opened ??= import('@treadle/gates/gates').then(({ openGates }) => openGates(options))
    return opened
  }
  return {
    canary: async (request) => (await gates()).canary(request),
    // Asked for at each start, and no reason to load the others.
    detectTestCommand: async (cwd) => detectTestCommand(cwd),
    runSetup: async (request) => (await gates()).runSetup(request),
    format: async (request) => (await gates()).format(request),
    runBuild: async (request) => (await gates()).runBuild(request),
    runTests: async (request) => (await gates()).runTests(request),
    runAffected: async (request) => (await gates()).runAffected(request),
    mapTests: async (request) => (await gates()).mapTests(request),
    settleFlaky: async (request) => (await gates()).settleFlaky(request),
    confirmFixed: async (request) => (await gates()).confirmFixed(request),
    runDeliveryGates: async (request) => (await gates()).runDeliveryGates(request),
    hints: async (request) => (await gates()).hints(request),
    keep: async (text) => (await gates()).keep(text),
  }
}

export function reviewChecksWhenNeeded(options: GateOptions): ReviewChecks {
  let opened: Promise<ReviewChecks> | undefined
  return {
    run: async (request) => {
      opened ??= openChecks(options)
      return (await opened).run(request)
    },
  }
}

async function openChecks(options: GateOptions): Promise<ReviewChecks> {
  const { openReviewChecks } = await import('@treadle/gates/review/review-checks')
  const { compareApart, measureApart, surveyApart } = await import('@treadle/gates/review/run-apart')
  return openReviewChecks(options, {
    measure: measureApart(options, STRENGTH_MAIN),
    compare: compareApart(options, INPUTS_MAIN),
    survey: surveyApart(options, FINDING_MAIN),
  })
}
