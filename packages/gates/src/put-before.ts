// Files that a run's processes load before everything else, whatever its command is.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FirstFiles {
  /** Loaded by every process and worker of Node. */
  readonly node: URL
  /** Run by every process of Python, under a name that `sitecustomize.py` knows. */
  readonly python: URL
}

const sitecustomize = new URL('./sitecustomize.py', import.meta.url)

/** Puts them into a folder of the run's own and gives the environment that has them loaded. */
export function putBefore(
  env: Readonly<Record<string, string>>,
  folder: string,
  { node, python }: FirstFiles,
): Record<string, string> {
  for (const file of [node, python, sitecustomize])
    writeFileSync(join(folder, nameOf(file)), readFileSync(file))
  return {
    ...env,
    NODE_OPTIONS: [env.NODE_OPTIONS, `--require=${join(folder, nameOf(node))}`].filter(Boolean).join(' '),
    PYTHONPATH: [folder, env.PYTHONPATH].filter(Boolean).join(':'),
  }
}

function nameOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1)
}
