// What the files that a source newly imports hand on to it, one step far.
import { posix } from 'node:path'
import type { Wait } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { NO_CAPABILITIES } from './capability.ts'
import { handedOn, type ReadChange } from './capability-diff.ts'
import { isScript, isTestMaterial, readHead } from './head-files.ts'
import { kindOf } from './links.ts'
import { readScript } from './read-script.ts'

const endings = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js']

type ChangedTree = Pick<DeliveryGateRequest, 'cwd' | 'changed'>

export async function throughImports(request: ChangedTree, changes: readonly ReadChange[]): Promise<Wait[]> {
  const waits: Wait[] = []
  for (const change of changes)
    for (const name of newImports(change)) waits.push(...(await throughOne(request, change, name)))
  return waits
}

/** Files of the tree that a source imports and did not before. */
function newImports({ isTest, was, is }: ReadChange): string[] {
  if (isTest || is?.is !== 'read' || was?.is === 'unreadable') return []
  const known = new Set(was?.imports ?? [])
  return [...new Set(is.imports)].filter((name) => name.startsWith('.') && !known.has(name))
}

async function throughOne(
  { cwd, changed }: ChangedTree,
  { path, was }: ReadChange,
  name: string,
): Promise<Wait[]> {
  const target = posix.join(posix.dirname(path), name)
  const told = (words: string): Wait[] => [{ class: 'capability', file: path, line: null, words }]
  if (target.startsWith('..')) return told(`files: imports ${name}, outside of the tree`)
  if (isTestMaterial(`${target.replace(/\.[cm]?[jt]sx?$/, '')}.ts`))
    return told(`test runner: imports ${name}, which belongs to the tests`)
  const file = resolved(cwd, target)
  // What the change itself touches is told there.
  if (was === null || file === null || changed.includes(file)) return []
  const reading = readScript(file, (await readHead(cwd, file)) ?? '')
  const had = was.is === 'read' ? was.capabilities : NO_CAPABILITIES
  return reading.is === 'read' ? handedOn(path, { through: file, had, has: reading.capabilities }) : []
}

function resolved(cwd: string, target: string): string | null {
  const stem = target.replace(/\.[cm]?jsx?$/, '')
  const names = [target, ...endings.map((ending) => `${stem}${ending}`)]
  return names.find((name) => isScript(name) && kindOf(cwd, name).is === 'file') ?? null
}
