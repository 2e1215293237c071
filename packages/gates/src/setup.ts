// Runs the owner's set-up command, which installs what a new tree needs.
import type { SetupResult, TestGateRequest } from '@treadle/flow/ports/gates'
import { installs } from './installs.ts'
import type { CommandResult } from './run-command.ts'
import { type GateOptions, runGateCommand } from './tests.ts'

/** What package managers say where a registry wants to know who asks. */
const REFUSED =
  /\bE40[13]\b|\bENEEDAUTH\b|ERR_PNPM_FETCH_40[13]|\bYN0041\b|\b40[13]\b[ ,:-]*(?:Client Error|Unauthorized|Forbidden|Authorization)|(?:Unauthorized|Forbidden|status(?: code)?:?)\W{0,3}40[13]\b|authentication (?:is )?required|could not read Username/i

/** What an install says that meets lent packages. */
const READ_ONLY = /\bEROFS\b|\bEBUSY\b|read-only file system/i

const LOGINS = [
  'The registry wants a login, and what is confined does not see yours.',
  'To let this command, and nothing else, read them, name the package manager in treadle.json: "sandbox": { "logins": ["npm"] }.',
  'Install scripts of a change can read them then, too: give it a login that can read packages and nothing else.',
].join(' ')

export async function runSetup(options: GateOptions, request: TestGateRequest): Promise<SetupResult> {
  const { command, cwd, timeoutMs, signal, onOutput } = request
  if (command === null || command.trim() === '') return { is: 'ok' }
  const run = (lends: boolean) =>
    runGateCommand(options, {
      command,
      cwd,
      timeoutMs,
      signal,
      onOutput,
      lends,
      isSetup: true,
      network: true,
    })
  let ended = await run(!installs(command))
  // A script that installs is not known by its name; it is by what it could not do.
  if (ended.isConfined && ended.exitCode !== 0 && READ_ONLY.test(ended.tail)) ended = await run(false)
  if (ended.exitCode === 0 && !ended.timedOut && !ended.aborted) return { is: 'ok' }
  const text = `\`${command}\` ${howItEnded(ended, timeoutMs)}`
  const wantsLogin = ended.isConfined && REFUSED.test(ended.tail)
  // First, so that whoever reads the beginning of a long output reads it.
  const why = [text, ...(wantsLogin ? [LOGINS] : []), ended.tail]
  return { is: 'failed', why: why.join('\n').trim(), text, tail: ended.tail, wantsLogin }
}

function howItEnded({ aborted, timedOut, exitCode, signal }: CommandResult, timeoutMs: number): string {
  if (aborted) return 'was interrupted'
  if (timedOut) return `did not end within ${timeoutMs} ms and was stopped`
  return exitCode === null ? `was ended by ${signal}` : `failed with exit code ${exitCode}`
}
