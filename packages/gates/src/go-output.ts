// Runs `go test -json`, keeps its events in a file and prints what go would have printed without it:
// node go-output.ts FILE go test …
import { spawn } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file = '', program = '', command = '', ...args] = process.argv.slice(2)
// Written at once: a run that is stopped leaves what it had.
const kept = openSync(file, 'w')
const child = spawn(program, [command, '-json', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(127)
})
createInterface({ input: child.stdout }).on('line', (line) => {
  writeSync(kept, `${line}\n`)
  process.stdout.write(shown(line))
})
// Before go 1.24 what the compiler says is no event.
createInterface({ input: child.stderr }).on('line', (line) => {
  writeSync(kept, `${line}\n`)
  process.stderr.write(`${line}\n`)
})
child.on('close', (code, signal) => {
  closeSync(kept)
  if (signal) process.kill(process.pid, signal)
  else process.exitCode = code ?? 1
})

function shown(line: string): string {
  try {
    const { Output: output } = JSON.parse(line)
    return typeof output === 'string' ? output : ''
  } catch {
    return `${line}\n`
  }
}
