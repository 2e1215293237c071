// The small process that starts git for a large one: node git-launcher-main.ts, with a channel of messages. It ends when
// the channel is closed and the last git has ended.
import { Fault, messageOf } from '@treadle/flow/fault'
import type { LaunchAnswer, LaunchOrder } from './git-launcher.ts'
import { spawnGit } from './git-process.ts'

/** Nothing is to be done: the channel tells when it is over. */
function leave(): void {
  return
}

// A signal of the terminal goes to all; the large process decides what ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)

process.on('message', async (order) => {
  const answer = await carryOut(order as LaunchOrder)
  if (process.connected) process.send?.(answer, leave)
})

async function carryOut({ id, args, run }: LaunchOrder): Promise<LaunchAnswer> {
  try {
    const { code, bytes, stderr } = await spawnGit(args, run)
    return { id, code, bytes, stderr }
  } catch (error) {
    const known = error instanceof Fault ? error : new Fault('git', messageOf(error))
    return { id, kind: known.kind, message: known.message, hint: known.hint }
  }
}
