// The thread in which PGlite runs: PostgreSQL's wire protocol in, wire protocol out, one message at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { readCompiled } from './compiled-wasm.ts'
import { DurableFs } from './durable-fs.ts'
import type { FromThread, ThreadData, ToThread } from './pglite-messages.ts'

const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4)
const SETTINGS = {
  wal_sync_method: 'fsync',
  shared_buffers: '32MB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
}

const port = parentPort
if (port === null) throw new Error('this file runs only as a worker thread')
const say = (message: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

const { dir, compiled } = workerData as ThreadData
const fs = new DurableFs(dir)
let db: PGlite | undefined
let work: Promise<void> = open()
port.on('message', (message: ToThread) => {
  work = work.then(() => handle(message)).catch(fail)
})

async function open(): Promise<void> {
  try {
    const module = compiled === null ? null : readCompiled(compiled)
    db = await PGlite.create({
      fs,
      dataDir: dir,
      ...(module === null ? {} : { pgliteWasmModule: module }),
      // -F would switch fsync off.
      startParams: [
        ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
        ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
    })
    say({ is: 'ready', compiled: module !== null })
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  say({ is: 'failed', message: error instanceof Error ? error.message : String(error) })
}

async function handle(message: ToThread): Promise<void> {
  if (db === undefined) return
  switch (message.is) {
    case 'bytes': {
      const answer = await db.execProtocolRaw(message.bytes)
      // A copy of its own: the answer may be a view into the engine's memory.
      const bytes = answer.slice()
      say({ is: 'reply', stream: message.stream, bytes, syncs: fs.syncs }, [bytes.buffer])
      return
    }
    case 'reset':
      await db.execProtocolRaw(SYNC)
      await db.exec('rollback')
      await db.exec('discard all')
      say({ is: 'was_reset' })
      return
    case 'close':
      await db.close()
      say({ is: 'closed' })
  }
}
