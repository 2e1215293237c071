// Calls of one program in a process of its own, confined as candidates are.
import type { CallOutcome, InputCall } from '@treadle/contracts/inputs'
import type { Scratch } from '../confined.ts'
import type { Project } from '../project/load.ts'
import { loadMessage } from '../search/baseline.ts'
import { RunnerProcess } from '../search/process.ts'

const LIMITS = { fuel: 200_000, cpuMs: 500, testMs: 1_000 }
const SILENCE_MS = 10_000

export interface Calling {
  readonly project: Project
  readonly scratch: Scratch
  readonly calls: readonly InputCall[]
  readonly signal: AbortSignal
}

/** One outcome for each call, in order; what was not heard of has none. */
export async function callAll({ project, scratch, calls, signal }: Calling): Promise<CallOutcome[]> {
  const modules = new Map(project.files.map(({ path, index }) => [path, index]))
  const left = new Map(project.left.map(({ path, why }) => [path, why]))
  const wanted = calls.flatMap((call, at) => {
    const module = modules.get(call.file)
    return module === undefined || left.has(call.file) ? [] : [{ at, wire: { ...call, module } }]
  })
  const outcomes = calls.map(
    ({ file }): CallOutcome => ({ is: 'none', why: left.get(file) ?? 'not heard of' }),
  )
  if (wanted.length === 0) return outcomes
  let heard = 0
  const place = { root: project.root, scratch, confined: true }
  const runner = new RunnerProcess(place, SILENCE_MS, (message) => {
    if (message.is !== 'called') return
    const at = wanted[heard]?.at
    heard += 1
    if (at !== undefined) outcomes[at] = message.result
    if (heard >= wanted.length) runner.kill()
  })
  const stop = () => runner.kill()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  runner.send(loadMessage(project, LIMITS))
  runner.send({
    is: 'call',
    calls: wanted.map(({ wire: { module, name, args } }) => ({ module, name, args })),
  })
  await runner.gone
  signal.removeEventListener('abort', stop)
  return outcomes
}
