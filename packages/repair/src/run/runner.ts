// The process that runs candidates. Takes no packages, so it starts fast; ends with its parent.
import { Caller } from './calls.ts'
import { installClock } from './clock.ts'
import { guardInspector, guardNetwork, guardOutput, guardProcess } from './guards.ts'
import { wording } from './mismatch.ts'
import { Noticer } from './notice.ts'
import type { FromRunner, ToRunner, WireCandidate } from './protocol.ts'
import { Judge } from './tests.ts'

// The public exit is taken away from candidates.
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process)
const send = process.send?.bind(process)
// Candidates share the process, and may put their own in its place.
const cpuUsage = process.cpuUsage.bind(process)

let judge: Judge | null = null
let noticer: Noticer | null = null
let caller: Caller | null = null
let coverage: import('./coverage.ts').Coverage | null = null
let queue = Promise.resolve()

function say(message: FromRunner): void {
  send?.(message)
}

async function receive(message: ToRunner): Promise<void> {
  switch (message.is) {
    case 'load':
      await load(message)
      return
    case 'baseline':
      say({ is: 'baseline', tests: (await judge?.baseline(coverage)) ?? [] })
      return
    case 'plan':
      wording.wanted = false
      Error.stackTraceLimit = 0
      judge?.plan(message.plan)
      noticer?.plan(message.plan)
      return
    case 'try':
      await tryAll(message.candidates)
      return
    case 'call':
      for (const call of message.calls) {
        const result = await caller?.call(call)
        say({ is: 'called', result: result ?? { is: 'none', why: 'nothing is loaded' } })
      }
  }
}

async function load(message: Extract<ToRunner, { is: 'load' }>): Promise<void> {
  judge = new Judge(message.modules, message.tests, message.limits)
  noticer = new Noticer(message.modules, message.limits)
  caller = new Caller(message.modules, message.limits)
  if (message.coverage) {
    const { Coverage } = await import('./coverage.ts')
    coverage = new Coverage(message.modules.map((module) => module.path))
  }
  if (message.guarded) {
    if (!message.hasNetwork) guardNetwork()
    guardInspector()
  }
  guardOutput()
  guardProcess()
  installClock()
  wording.wanted = true
  Error.stackTraceLimit = 50
  say({ is: 'ready' })
}

let cpuBefore = 0

function cpuSinceLast(): number {
  const { user, system } = cpuUsage()
  const before = cpuBefore
  cpuBefore = (user + system) / 1_000
  return cpuBefore - before
}

async function tryAll(candidates: readonly WireCandidate[]): Promise<void> {
  for (const candidate of candidates) {
    const verdict = await (candidate.planted === true ? noticer?.notice(candidate) : judge?.judge(candidate))
    say({ is: 'tried', id: candidate.id, verdict: verdict ?? { is: 'invalid' }, cpuMs: cpuSinceLast() })
  }
}

process.on('message', (message: ToRunner) => {
  queue = queue.then(() => receive(message))
})
process.on('disconnect', () => exit(0))
