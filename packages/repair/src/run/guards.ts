// Takes from a candidate what the permission model leaves it: the network, and ways to end the process.
import dgram from 'node:dgram'
import dns from 'node:dns'
import inspector from 'node:inspector'
import promised from 'node:inspector/promises'
import net from 'node:net'

class Denied extends Error {
  constructor(what: string) {
    super(`a candidate may not use ${what}`)
    this.name = 'Denied'
  }
}

function deny(target: object, names: readonly string[], what: string): void {
  for (const name of names) {
    const value = function denied() {
      throw new Denied(what)
    }
    // Programs put their own in its place and call what was there: the way is closed all the same.
    Object.defineProperty(target, name, { value, writable: true, configurable: false })
  }
}

/** Keeps an error outside of a test from ending the process. */
export function guardProcess(): void {
  process.on('uncaughtException', () => undefined)
  process.on('unhandledRejection', () => undefined)
  const ends = ['exit', 'abort', 'kill', '_kill', 'reallyExit', 'disconnect', '_debugProcess', '_debugEnd']
  deny(process, [...ends, 'chdir', 'dlopen'], 'the process')
  process.exitCode = undefined
}

export function guardNetwork(): void {
  deny(net.Socket.prototype, ['connect'], 'the network')
  deny(net.Server.prototype, ['listen'], 'the network')
  deny(dgram.Socket.prototype, ['bind', 'connect', 'send'], 'the network')
  deny(dns, ['lookup', 'resolve', 'resolve4', 'resolve6'], 'the network')
  deny(globalThis, ['fetch', 'WebSocket', 'EventSource'], 'the network')
}

/** Keeps the inspector shut: it would listen for others, and its own session sees more than a test needs. */
export function guardInspector(): void {
  for (const module of [inspector, promised])
    deny(module, ['open', 'close', 'waitForDebugger', 'Session'], 'the inspector')
}

/** Keeps what programs print from everybody. */
export function guardOutput(): void {
  const silent = () => true
  for (const stream of [process.stdout, process.stderr])
    Object.defineProperty(stream, 'write', { value: silent })
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir']) {
    Object.defineProperty(globalThis.console, name, {
      value: () => undefined,
      writable: true,
      configurable: true,
    })
  }
}
