// Runs some of the tests with the runner's own means, through the same gate as the whole suite.
import type { GateResult } from '@treadle/contracts/gate'
import type { TestGateRequest } from '@treadle/flow/ports/gates'
import { type GateOptions, runTests } from '../tests.ts'
import { type NotPossible, subsetCommand, type Wanted } from './plain-call.ts'

export interface SelectedRequest extends TestGateRequest {
  readonly command: string
  readonly wanted: Wanted
}

export type SelectedRun =
  | { readonly is: 'ran'; readonly command: string; readonly result: GateResult }
  /** Then the caller runs the whole suite. */
  | NotPossible

export async function runSelected(options: GateOptions, request: SelectedRequest): Promise<SelectedRun> {
  const subset = subsetCommand(request.command, request.cwd, request.wanted)
  if (subset.is === 'not_possible') return subset
  const { command, binFolders } = subset
  const result = await runTests(withPath(options, binFolders), { ...request, command })
  return { is: 'ran', command, result }
}

/** What a package script would find by name is found without npm as well. */
export function withPath(options: GateOptions, binFolders: readonly string[]): GateOptions {
  if (binFolders.length === 0) return options
  const path = [...binFolders, options.env.PATH ?? ''].filter((folder) => folder !== '').join(':')
  return { ...options, env: { ...options.env, PATH: path } }
}
