// An error that nobody caught ends the daemon. It is written down at once, and told by the daemon that comes next.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { messageOf } from '@treadle/flow/fault'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { World } from './world.ts'

const Crash = z.object({ at: z.iso.datetime(), pid: z.int(), why: z.string().min(1) })
const WHY_MAX = 4_000

/** Rejections that nobody waits for arrive here too. Nothing is awaited: after such an error nothing can be relied on. */
export function recordCrash(file: string, { log, now }: { log: Logger; now: () => Date }): void {
  process.on('uncaughtException', (error, origin) => {
    const why = (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, WHY_MAX)
    try {
      log.fatal({ err: error, origin }, 'the daemon crashed')
      writeFileSync(file, `${JSON.stringify({ at: now().toISOString(), pid: process.pid, why })}\n`)
    } finally {
      process.exit(1)
    }
  })
}

export async function tellCrash({ paths, store, log }: World): Promise<void> {
  const found = readCrash(paths.crash, log)
  if (found !== null) {
    const { at, pid, why } = found
    log.warn({ at, pid, why }, 'the daemon before this one crashed')
    await store.events.append({
      id: `crash:${at}:${pid}`,
      at: new Date(at),
      item: null,
      agentId: null,
      runId: null,
      state: null,
      event: { type: 'daemon.crashed', why },
    })
  }
  rmSync(paths.crash, { force: true })
}

function readCrash(file: string, log: Logger): z.infer<typeof Crash> | null {
  try {
    return Crash.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ file, why: messageOf(error) }, 'what a crash left cannot be read')
    return null
  }
}
