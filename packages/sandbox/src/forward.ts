// Runs inside a sandbox that has no network: listens on its loopback and hands every connection to the socket that was
// passed in for that port. Usage: forward.ts FOLDER PORT… It says `ready`, or what went wrong, and then nothing more.
import { closeSync, openSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { relay } from './relay.ts'

const [folder = '', ...ports] = process.argv.slice(2)

// A signal to the group of the command is not for us: we end with the sandbox.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)
  process.on(signal, () => undefined)

function listen(host: string, port: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (client) =>
    relay(client, connect({ path: join(folder, port), allowHalfOpen: true })),
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(Number(port), host, resolve)
  })
}

for (const port of ports) {
  await listen('127.0.0.1', port)
  // A machine without the newer protocol has no such address.
  await listen('::1', port).catch(() => undefined)
}
writeSync(1, 'ready')
// Whoever waits for our words has them all once both are closed; the numbers are taken again at once, so that no
// connection gets one of them.
for (const output of [1, 2]) {
  closeSync(output)
  openSync('/dev/null', 'w')
}
