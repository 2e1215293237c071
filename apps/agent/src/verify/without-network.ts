// Runs a program of ours where nothing but this machine itself can be reached, as far as the system lets us.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

type Env = Readonly<Record<string, string>>

interface Way {
  readonly name: string
  readonly words: readonly string[]
}

// A network of one's own has no loopback until it is switched on, and many tests need one.
const WITH_LOOPBACK = 'ip link set lo up && exec "$@"'
const WAYS: readonly Way[] = [
  { name: 'bwrap', words: ['bwrap', '--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--'] },
  // As root, then as anybody else, who stays who they are.
  ...[[], ['--map-current-user', '--keep-caps']].map((as) => ({
    name: 'unshare',
    words: ['unshare', ...as, '--net', '--kill-child', '--', 'sh', '-c', WITH_LOOPBACK, 'sh'],
  })),
]

/** The first way that works here; null: the network cannot be taken away. */
export async function wayWithoutNetwork(env: Env): Promise<Way | null> {
  for (const way of WAYS) if ((await run([...way.words, 'true'], env)) === 0) return way
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
