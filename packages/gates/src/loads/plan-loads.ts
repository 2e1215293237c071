// Whether what a change touches can make a name mean another file. Only then the tests are run without it as well. Pure.
import { posix } from 'node:path'
import { compareConfiguration, isConfiguration } from '../capability/configuration.ts'
import { isPython, isScript, isTidying } from '../capability/head-files.ts'
import { isNpmLock } from '../capability/lock-file.ts'
import type { LoadRecord } from './read-loads.ts'

export interface TouchedFile {
  readonly path: string
  /** Null: it is not there. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * The file for whose sake the tests have to be run on the base; null: nothing can differ.
 * @param isNamed Whether a file of code that the change left alone has this word in it.
 */
export function findUnsettling(
  touched: readonly TouchedFile[],
  head: LoadRecord,
  isNamed: (word: string) => boolean,
): string | null {
  const changed = new Set(touched.map(({ path }) => path))
  const loaded = new Set(head.loads.flatMap(({ to }) => to ?? []))
  // Somebody who was there before asks for it.
  const asked = new Set(
    head.loads.flatMap(({ by, to }) => (by === null || changed.has(by) ? [] : (to ?? []))),
  )
  // Where only the first who asked is known, it may have been one of many.
  const isFirstOnly = (path: string) => isPython(path) || head.loads.some(({ all }) => !all)
  const isAsked = (path: string) =>
    asked.has(path) || (loaded.has(path) && isFirstOnly(path) && isNamed(stemOf(path)))
  const found = touched.find(({ path, before, after }) => {
    if (isConfiguration(path)) return compareConfiguration(path, before, after).length > 0
    if (isDocument(path) || isNpmLock(path) || isTidying(path)) return false
    if (!isScript(path) && !isPython(path)) return !loaded.has(path) && isUnsettlingData(path)
    if (before === null) return isAsked(path) || isByItself(path)
    return after === null || !loaded.has(path)
  })
  return found?.path ?? null
}

/** The name by which others ask for it. */
function stemOf(path: string): string {
  const stem = posix.basename(path).replace(/\.\w+$/, '')
  return /^(?:__init__|index)$/.test(stem) ? posix.basename(posix.dirname(path)) : stem
}

const isDocument = (path: string): boolean => /\.(md|mdx|markdown|rst|adoc|txt)$/i.test(path)

/** Python runs it without being asked. */
const isByItself = (path: string): boolean =>
  /^(?:conftest|sitecustomize|usercustomize)\.py$/.test(posix.basename(path)) ||
  /(^|\/)__mocks__\//.test(path)

/** By such files tools are told where to look; other data is read by programs. */
function isUnsettlingData(path: string): boolean {
  const name = posix.basename(path)
  return (
    name.startsWith('.') ||
    /\.(pth|ya?ml|toml|ini|cfg|conf|jsonc?|json5|env|lock|mk)$|^[A-Z]\w*file$/.test(name)
  )
}
