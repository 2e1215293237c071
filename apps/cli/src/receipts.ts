// Receipts travel beside the branches: what origin has of them comes with every fetch.
import { spawnSync } from 'node:child_process'
import { FETCHED_NOTES, RECEIPT_NOTES } from '@treadle/contracts/receipt'

/**
 * A pattern, since git refuses to fetch a reference by name that origin has not; into a reference of its own, since
 * what is only here must not be overwritten.
 */
const FETCH = `+${RECEIPT_NOTES}*:${FETCHED_NOTES}*`
const PUSH = `${RECEIPT_NOTES}:${RECEIPT_NOTES}`

/** True if git was told just now. A repository without origin, or whose settings cannot be written, is left alone. */
export function carryReceipts(root: string): boolean {
  if (valuesOf(root, 'remote.origin.url').length === 0) return false
  // A `remote.origin.push` entry makes a plain `git push` send what is listed and nothing else, so a first one is not made.
  const pushed = valuesOf(root, 'remote.origin.push')
  if (pushed.length > 0 && !pushed.includes(PUSH)) add(root, 'remote.origin.push', PUSH)
  return !valuesOf(root, 'remote.origin.fetch').includes(FETCH) && add(root, 'remote.origin.fetch', FETCH)
}

function valuesOf(root: string, name: string): string[] {
  const { stdout } = spawnSync('git', ['config', '--get-all', name], { cwd: root, encoding: 'utf8' })
  return (stdout ?? '').split('\n').filter((line) => line !== '')
}

function add(root: string, name: string, value: string): boolean {
  return spawnSync('git', ['config', '--local', '--add', name, value], { cwd: root }).status === 0
}
