// PGlite's own file system never calls fsync, so a committed transaction would not survive a power cut.
import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from './files.ts'

type Init = NodeFS['init']
type Options = Parameters<Init>[1]

/** The part of Emscripten's NODEFS that is patched. */
interface NodeFsModule {
  readonly FS: {
    readonly filesystems: {
      readonly NODEFS: {
        readonly stream_ops: { fsync?: (stream: OpenFile) => number }
        realPath(node: unknown): string
      }
    }
  }
}
interface OpenFile {
  readonly nfd?: number
  readonly node: unknown
}

export class DurableFs extends NodeFS {
  /** How many times the disk was told to keep what it has. */
  syncs = 0

  override async init(pg: PGlite, options: Options): ReturnType<Init> {
    const made = await super.init(pg, options)
    const patch = (module: unknown): void => this.#patch(module as NodeFsModule)
    made.emscriptenOpts.preRun = [...(made.emscriptenOpts.preRun ?? []), patch]
    return made
  }

  #patch(module: NodeFsModule): void {
    const nodeFs = module.FS.filesystems.NODEFS
    nodeFs.stream_ops.fsync = (stream) => {
      this.syncs += 1
      if (stream.nfd !== undefined) fsyncSync(stream.nfd)
      // Directories come without a descriptor.
      else syncPath(nodeFs.realPath(stream.node))
      return 0
    }
  }
}
