// The files of a change: which of them are read, by whom, and what they are to the tests.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { conventionsOf, isTestSupport, isTextSupport } from '../integrity/test-conventions.ts'
import { kindOf } from './links.ts'

const fileBytesMax = 2 * 1024 * 1024

export const isScript = (path: string): boolean =>
  /\.([cm]?[jt]sx?|vue|svelte)$/.test(path) && !/\.d\.[cm]?ts$/.test(path)
export const isPython = (path: string): boolean => /\.pyw?$/.test(path)
export const isMachineCode = (path: string): boolean => /\.(wasm|node|so|dylib|dll|pyd|pyc|exe)$/.test(path)
export const isOtherCode = (path: string): boolean =>
  /\.(go|rs|java|kt|scala|groovy|rb|php|cs|fs|swift|ex|exs|c|cc|cpp|h|hpp|lua|pl|sh|bash|zsh)$/.test(path)
export const isTestMaterial = (path: string): boolean =>
  conventionsOf(path).length > 0 ||
  /\.bench\.[cm]?[jt]sx?$/.test(path) ||
  isTestSupport(path) ||
  isTextSupport(path) ||
  /(^|\/)(fixtures?|__fixtures__|__mocks__|__snapshots__|testdata|test-data|bench|benchmarks?)\//.test(path)

/** Test material, but for a script of the sources in a folder such as `spec` whose own name does not say so. */
export function belongsToTests(path: string): boolean {
  if (!isTestMaterial(path)) return false
  const isSource = isScript(path) && /(^|\/)(src|lib)\//.test(path) && !/(^|\/)__\w+__\//.test(path)
  return !isSource || /[._-](test|spec|e2e|cy|bench|setup)[._-]/.test(path)
}

/** Settings of linters and the like: tests load none of it. */
export const isTidying = (path: string): boolean =>
  /(^|\/)(\.?(eslint|prettier|stylelint|commitlint|lint-staged|oxlint|xo|knip|typedoc|release-it|semantic-release)(rc|\.config|\.conf)?)\.[cm]?[jt]s$/.test(
    path,
  )

export async function readHead(cwd: string, path: string): Promise<string | null> {
  if (kindOf(cwd, path).is !== 'file') return null
  const file = join(cwd, path)
  // A text that is cut does not parse, and is told as unreadable.
  const { size } = await stat(file)
  const text = await readFile(file, 'utf8')
  return size > fileBytesMax ? `${text.slice(0, fileBytesMax)}\n((` : text
}
