// The daemon as a process: node apps/daemon/src/main.ts --workspace DIR [--agents N] [--no-trial] [--ideas] [--die-with PID]
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Before anything else is loaded: what one daemon has compiled the next one reads. Without a place to write, nothing is kept.
module.enableCompileCache(fileURLToPath(new URL('../../../.cache/compile', import.meta.url)))
const { runProcess } = await import('./daemon-process.ts')
await runProcess()
