// Services of this machine that the owner declared to be reachable. Sockets cross the border of a network and ports do
// not: where the network is off, each port is a socket outside and a port of the loopback inside.
import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realPath } from './paths.ts'
import { relay } from './relay.ts'
import type { Bind } from './view.ts'
import type { Confine } from './wanted.ts'

/** Where the sockets stand inside. */
const INSIDE = '/run/reach'
/** What a path of a socket may have; the kernel cuts longer ones off. */
const PATH_BYTES_MAX = 107
const CONNECTIONS_MAX = 512
const PROGRAM = [new URL('./forward.ts', import.meta.url), new URL('./relay.ts', import.meta.url)]

// Starts what forwards, waits for its word and becomes the command: nobody stands between the command and whoever
// started it, and it has no child that it did not start. No variable is set, since one could be the command's own.
const FORWARD = `set -- "$( ( /usr/bin/env -i "$1" "$2" "$3" $4 & ) 2>&1 )" "$@"
[ "$1" = ready ] || { printf 'sandbox.reach: the services could not be passed in: %s\\n' "$1" >&2; exit 125; }
shift 5
exec "$@"`

export interface Reach {
  readonly sockets: readonly Bind[]
  /** Words before the command inside; none where nothing has to be forwarded. */
  readonly before: readonly string[]
  close(): void
}

/** `folder` is there for as long as what is confined. */
export async function openReach(
  { reach = [], network }: Pick<Confine, 'reach' | 'network'>,
  folder: string,
): Promise<Reach> {
  const sockets = reach.filter((service) => service.startsWith('/')).flatMap(socketAt)
  // The network of the machine has the ports themselves.
  const ports = network === 'own' ? portsOf(reach) : []
  if (ports.length === 0) return { sockets, before: [], close: () => undefined }
  const own = join(folder, 'reach')
  mkdirSync(own)
  for (const url of PROGRAM) copyFileSync(url, join(own, fileName(url)))
  writeFileSync(join(own, 'package.json'), '{"type":"module"}\n')
  const listening: Listening[] = []
  const close = () => {
    for (const each of listening) each.close()
  }
  try {
    for (const service of ports) listening.push(await listenFor(service, join(own, String(service.port))))
  } catch (error) {
    close()
    throw error
  }
  const words = [process.execPath, join(INSIDE, 'forward.ts'), INSIDE]
  const list = ports.map(({ port }) => port).join(' ')
  return {
    sockets: [...sockets, { from: own, at: INSIDE }],
    before: ['/bin/sh', '-c', FORWARD, 'sh', ...words, list],
    close,
  }
}

const fileName = (url: URL) => fileURLToPath(url).split('/').at(-1) ?? ''

/** A path that is no socket is not passed in: it would show a folder by another name. */
function socketAt(path: string): Bind[] {
  const from = realPath(path)
  if (from === null || !statSync(from).isSocket()) return []
  return [{ from, at: path }]
}

interface Service {
  readonly host: string
  readonly port: number
}

/** Each port once: inside there is one loopback. */
function portsOf(reach: readonly string[]): Service[] {
  const named = reach.flatMap((service) => {
    const [, host, port] = /^\[?([\w.:]+?)\]?:(\d+)$/.exec(service) ?? []
    return host === undefined || service.startsWith('/') ? [] : [{ host, port: Number(port) }]
  })
  return [...new Map(named.reverse().map((service) => [service.port, service])).values()].reverse()
}

interface Listening {
  close(): void
}

async function listenFor(service: Service, path: string): Promise<Listening> {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new Error(`sandbox.reach: ${path} is too long for a socket; set TMPDIR to a shorter folder`)
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ ...service, allowHalfOpen: true })
    for (const socket of [inner, outer]) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    }
    relay(inner, outer)
  })
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
  // It lasts as long as the command, and keeps nobody waiting for it.
  server.unref()
  return { close: () => closeAll(server, open) }
}

function closeAll(server: Server, open: ReadonlySet<Socket>): void {
  server.close()
  for (const socket of open) socket.destroy()
}
