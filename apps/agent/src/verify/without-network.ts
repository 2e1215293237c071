// Runs a program of ours, which runs what a receipt states, where nothing but this machine itself can be reached.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '@treadle/contracts/config'
import { confine } from '@treadle/sandbox/confine'

type Env = Readonly<Record<string, string>>

export interface Way {
  readonly name: string
  readonly words: readonly string[]
  readonly env: Env
  close(): void
}

/** What the program is made of, which has to be there to run. */
const OWN = ['../..', '../../../../packages', '../../../../node_modules'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
)
// A network of one's own has no loopback until it is switched on, and many tests need one.
const WITH_LOOPBACK = 'ip link set lo up && exec "$@"'
/** As root, then as anybody else, who stays who they are. */
const UNSHARE = [[], ['--map-current-user', '--keep-caps']].map((as) => [
  ...['unshare', ...as, '--net', '--kill-child', '--', 'sh', '-c', WITH_LOOPBACK, 'sh'],
])

interface Needs {
  /** The clone that is worked in. */
  readonly cwd: string
  /** Folders besides it that are written to. */
  readonly writable: readonly string[]
  readonly env: Env
  readonly sandbox: Config['sandbox']
}

/** The first way that works here: the sandbox, else the network alone; null: it cannot be taken away. */
export async function wayWithoutNetwork({
  cwd,
  writable,
  env,
  sandbox,
}: Needs): Promise<Way | { readonly why: string } | null> {
  const confined = await confine({
    mode: sandbox.mode,
    show: sandbox.show.filter((path) => /^[~/]/.test(path)),
    purpose: 'test command',
    argv: [],
    cwd,
    network: 'own',
    env,
    envAdded: env,
    writable,
    binds: () => OWN.map((path) => ({ from: path, at: path, isWritable: false })),
  })
  if (confined.is === 'refused') return { why: confined.why }
  if (confined.isConfined)
    return { name: 'bubblewrap', words: confined.before, env: confined.env, close: confined.close }
  for (const words of UNSHARE)
    if ((await run([...words, 'true'], env)) === 0)
      return { name: 'unshare', words, env, close: () => undefined }
  return null
}

/** Resolves to the exit code; null if it was killed or could not be started. */
export async function run(words: readonly string[], env: Env, signal?: AbortSignal): Promise<number | null> {
  const [program = '', ...args] = words
  const child = spawn(program, args, { env, stdio: 'ignore' })
  const stop = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', stop)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  } catch {
    // There is no such program.
    return null
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
