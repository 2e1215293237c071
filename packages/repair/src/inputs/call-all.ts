// Calls of one program in a process of its own, confined as candidates are.
import type { CallOutcome, InputCall } from '@treadle/contracts/inputs'
import type { Scratch } from '../confined.ts'
import type { Project } from '../project/load.ts'
import type { CallResult, WireCall } from '../run/protocol.ts'
import { loadMessage } from '../search/baseline.ts'
import { RunnerProcess } from '../search/process.ts'

const LIMITS = { fuel: 200_000, cpuMs: 500, testMs: 1_000 }
const SILENCE_MS = 10_000
const STARTS_MAX = 3

export interface Calling {
  readonly project: Project
  readonly scratch: Scratch
  readonly calls: readonly InputCall[]
  readonly signal: AbortSignal
}

/** One outcome for each call, in order; what was not heard of has none. */
export async function callAll({ project, scratch, calls, signal }: Calling): Promise<CallOutcome[]> {
  const modules = new Map(project.files.map(({ path, index }) => [path, index]))
  const unread = new Map(project.left.map(({ path, why }) => [path, why]))
  const wanted = calls.flatMap((call, at) => {
    const module = modules.get(call.file)
    return module === undefined || unread.has(call.file)
      ? []
      : [{ at, wire: { module, name: call.name, made: call.made, args: call.args } }]
  })
  const outcomes = calls.map(
    ({ file }): CallOutcome => ({ is: 'none', why: unread.get(file) ?? 'not heard of' }),
  )
  let left = wanted
  // A call that ends the process costs only itself.
  for (let start = 0; start < STARTS_MAX && left.length > 0 && !signal.aborted; start += 1) {
    const heard = await callSome({ project, scratch, calls: left.map(({ wire }) => wire), signal })
    for (const [at, result] of heard.entries()) outcomes[left[at]?.at ?? 0] = result
    left = left.slice(heard.length + 1)
  }
  return outcomes
}

interface SomeCalls extends Omit<Calling, 'calls'> {
  readonly calls: readonly WireCall[]
}

/** The results of the calls up to the one that ended the process. */
async function callSome({ project, scratch, calls, signal }: SomeCalls): Promise<CallResult[]> {
  const heard: CallResult[] = []
  const place = { root: project.root, scratch, confined: true }
  const runner = new RunnerProcess(place, SILENCE_MS, (message) => {
    if (message.is !== 'called') return
    heard.push(message.result)
    if (heard.length >= calls.length) runner.kill()
  })
  const stop = () => runner.kill()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  runner.send(loadMessage(project, LIMITS))
  runner.send({ is: 'call', calls })
  await runner.gone
  signal.removeEventListener('abort', stop)
  return heard
}
