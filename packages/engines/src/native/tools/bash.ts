// Running a command in the worktree.
import { z } from 'zod'
import { makeTool } from './tool.ts'

const TIMEOUT_MS = 120_000
const TIMEOUT_MAX_MS = 600_000

export const bash = makeTool({
  name: 'bash',
  description:
    'Runs a shell command in the working folder. What it leaves running is ended with it. Do not commit.',
  isReading: false,
  input: z.object({
    command: z.string().min(1).max(20_000),
    timeoutMs: z.number().int().min(1).max(TIMEOUT_MAX_MS).optional().describe(`${TIMEOUT_MS} if left out`),
    description: z.string().optional(),
  }),
  async run({ command, timeoutMs = TIMEOUT_MS }, { shell, signal }) {
    const { exitCode, output, isTimedOut } = await shell.run({
      argv: ['/bin/sh', '-c', command],
      timeoutMs,
      signal,
    })
    const how = isTimedOut ? `It was ended after ${timeoutMs} ms.` : `Exit code ${exitCode ?? 'none'}.`
    const success = exitCode === 0
    return { output: success ? output || 'No output.' : `${how}\n${output}`, success }
  },
})
