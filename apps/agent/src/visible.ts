// What each engine and each gate would be shown of this machine, as they would be started now.
import type { Config } from '@treadle/contracts/config'
import { readsWords } from '@treadle/contracts/config/engines'
import type { Visible } from '@treadle/contracts/engine-probe'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { lentTo } from '@treadle/engines/lent'
import { type Confining, confine } from '@treadle/sandbox/confine'
import { confineAsGate } from '@treadle/sandbox/surroundings'
import { engineSettings, sandboxOfEngines } from './engines.ts'
import { readEnv } from './env.ts'

interface Facts {
  readonly config: Config
  readonly paths: WorkspacePaths
  readonly engines: readonly string[]
}

/** What runs commands of the project; an install and the look for known weaknesses reach the network. */
const ONLINE = ['setup', 'security']
const GATES = ['setup', 'tests', 'lint', 'witness', 'mutation', 'review', 'security']

export async function visibleIn(facts: Facts): Promise<Visible[]> {
  return [...(await visibleToEngines(facts)), ...(await visibleToGates(facts))]
}

async function visibleToEngines({ config, paths, engines }: Facts): Promise<Visible[]> {
  const { mode, show = [] } = sandboxOfEngines({ config, paths })
  const wanted = { mode, show, purpose: 'engine', argv: [], cwd: paths.root, network: 'host' } as const
  const seen = lookAt(await confine({ ...wanted, hasGit: false, env: readEnv() }))
  const settings = engineSettings({ config, paths, id: 'doctor', memory: null })
  return engines.map((name) => {
    const lent = seen.is === 'confined' ? lentTo(name, settings) : []
    // The search of the repair engine runs the project's tests and nothing else, and mend runs nothing.
    const network = seen.is === 'everything' || (seen.is === 'confined' && readsWords(name))
    return { of: name, kind: 'engine' as const, ...seen, write: [...seen.write, ...lent], network }
  })
}

async function visibleToGates({ config, paths }: Facts): Promise<Visible[]> {
  const options = { ...config.sandbox, owner: paths.root }
  const env = readEnv()
  const offline = lookAt(await confineAsGate(options, { env, network: false }))
  const online = lookAt(await confineAsGate(options, { env, network: true }))
  return GATES.map((name) => {
    const isOnline = config.gates.network || ONLINE.includes(name)
    const seen = isOnline ? online : offline
    const network = seen.is === 'everything' || (seen.is === 'confined' && isOnline)
    return { of: name, kind: 'gate' as const, ...seen, network }
  })
}

function lookAt(confined: Confining): Pick<Visible, 'is' | 'read' | 'write'> {
  if (confined.is === 'refused') return { is: 'nothing', read: [], write: [] }
  confined.close()
  const { view } = confined
  if (view === null) return { is: 'everything', read: [], write: [] }
  const paths = (binds: readonly { readonly at: string }[]) => [
    ...new Set(binds.map(({ at }) => at).filter((path) => !path.startsWith('/run/git/'))),
  ]
  return { is: 'confined', read: paths(view.show), write: paths(view.writable) }
}
