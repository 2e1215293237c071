// Where candidates run: a folder that may be written, and the words that confine whatever is started for it.
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Confining, confine } from '@treadle/sandbox/confine'
import { removeForeign } from '@treadle/sandbox/foreign-files'
import { mirrorOf } from '@treadle/sandbox/lend'
import type { ChosenBind, SandboxMode } from '@treadle/sandbox/wanted'

export interface RepairSandbox {
  readonly mode: SandboxMode
  /** Shown besides, by the settings. */
  readonly show?: readonly string[]
  /** Services that are reached where the network is off. */
  readonly reach?: readonly string[]
  /** Another program in the place of bubblewrap. */
  readonly bwrap?: string
}

export interface Scratch {
  readonly path: string
  /** Comes before a command line that runs a candidate, or the project's own programs. */
  readonly before: readonly string[]
  /** Whether there is a network that nobody else is in: what listens there talks to itself alone. */
  readonly hasOwnNetwork?: boolean
}

export interface OpenedScratch extends Scratch {
  readonly is: 'ready'
  readonly warning: string | null
  remove(): void
}

const OWN = fileURLToPath(new URL('..', import.meta.url))

/** A scratch folder for candidates of the project at `root`, which they may only read. */
export async function openScratch(
  root: string,
  sandbox: RepairSandbox,
): Promise<OpenedScratch | Extract<Confining, { is: 'refused' }>> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-repair-')))
  const remove = () => removeForeign(path)
  const own = { from: OWN, at: OWN, isWritable: false }
  const confined = await confine({
    ...shared(sandbox),
    argv: [process.execPath],
    cwd: root,
    isReadOnly: true,
    env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` },
    writable: [path],
    binds: () => [own, ...packagesAbove(root)],
    mirror: mirrorOf(realpathSync(root)),
    hasGit: false,
  })
  if (confined.is === 'refused') {
    remove()
    return confined
  }
  const { before, warning } = confined
  return {
    is: 'ready',
    path,
    before,
    warning,
    // Services that the owner lets tests reach are not for candidates.
    hasOwnNetwork: confined.isConfined && (sandbox.reach ?? []).length === 0,
    remove: () => {
      confined.close()
      remove()
    },
  }
}

interface CopyConfine {
  /** The copy, and the project that it is a copy of, in the place of which it stands inside. */
  readonly path: string
  readonly root: string
  /** Folders of installed packages of the project itself, relative to it. */
  readonly packages: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The test command in a copy of the project: whatever leads back to the project leads to the copy. */
export function confineCopy(
  { path, root, packages, env }: CopyConfine,
  sandbox: RepairSandbox,
): Promise<Confining> {
  return confine({
    ...shared(sandbox),
    argv: [],
    cwd: path,
    at: root,
    env,
    envAdded: env,
    binds: () => packagesAbove(root),
    lend: { from: root, names: packages },
    mirror: mirrorOf(root),
  })
}

const shared = ({ mode, show = [], reach = [], bwrap = 'bwrap' }: RepairSandbox) =>
  ({ purpose: 'test command', setting: 'engines.sandbox', network: 'own', mode, show, reach, bwrap }) as const

/** Packages in the folders above the project, where no workspace stands around it that shows them. */
function packagesAbove(root: string): ChosenBind[] {
  const around = mirrorOf(root)?.at
  const found: ChosenBind[] = []
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    const isInside = around !== undefined && (folder === around || folder.startsWith(`${around}/`))
    if (!isInside && existsSync(packages))
      found.push({ from: realpathSync(packages), at: packages, isWritable: false })
  }
  return found
}
