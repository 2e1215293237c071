#!/usr/bin/env node
// Starts the command line on Node 24 or newer, whatever Node started this file. Plain JavaScript that Node 18 reads.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const wanted = 24
const launcher = realpathSync(fileURLToPath(import.meta.url))
const root = dirname(dirname(launcher))
const packaged = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

if (Number.parseInt(process.versions.node, 10) >= wanted) {
  // What was compiled once is read from there: half the time of a short command. Without a place to write, nothing is kept.
  module.enableCompileCache?.(join(root, '.cache', 'compile'))
  const { main } = await import(pathToFileURL(join(root, 'apps', 'cli', 'src', 'main.ts')).href)
  process.exitCode = await main(process.argv.slice(2))
} else if (existsSync(packaged) && realpathSync(packaged) !== realpathSync(process.execPath)) {
  runOn(packaged)
} else {
  refuse('it is not installed in this folder')
}

/** Runs this file again on another Node and ends as that one ends. */
function runOn(node) {
  const child = spawn(node, [...process.execArgv, launcher, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends its own signals to both processes; passing them on would deliver them twice.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']) {
    const fromTerminal = atTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')
    process.on(signal, () => fromTerminal || child.kill(signal))
  }
  child.on('error', (error) => refuse(`it does not start here: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code
      return
    }
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    // Stay until the signal has arrived, so that the caller sees it and not an exit code.
    setTimeout(() => process.exit(1), 5000)
  })
}

function refuse(why) {
  const lines = [
    `treadle needs Node ${wanted} or newer; this is Node ${process.versions.node}.`,
    `It brings its own Node, but ${why}.`,
    `Run \`npm ci\` in ${root}, or install Node ${wanted}.`,
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exitCode = 1
}
