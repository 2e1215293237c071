// A line that makes a source file fail as it is loaded or compiled, in the language of the file.
import { extname } from 'node:path'

type Plant = (token: string) => string

const thrown: Plant = (token) => `throw new Error('${token}');`
const raised: Plant = (token) => `raise RuntimeError('${token}')`
const raisedText: Plant = (token) => `raise '${token}'`
/** Compilers of these languages stop at a line that is none of theirs, and most of them show it. */
const noLine: Plant = (token) => `@@@ ${token} @@@`

const plants: Readonly<Record<string, Plant>> = {
  ...Object.fromEntries(
    ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx'].map((ending) => [ending, thrown]),
  ),
  py: raised,
  rb: raisedText,
  ex: (token) => `raise "${token}"`,
  php: (token) => `throw new \\Exception('${token}');`,
  pl: (token) => `die '${token}';`,
  pm: (token) => `die '${token}';`,
  lua: (token) => `error('${token}')`,
  rs: (token) => `compile_error!("${token}");`,
  ...Object.fromEntries(['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'm'].map((ending) => [ending, cError])),
  ...Object.fromEntries(
    [
      'go',
      'java',
      'kt',
      'kts',
      'scala',
      'groovy',
      'cs',
      'fs',
      'swift',
      'dart',
      'zig',
      'hs',
      'ml',
      'clj',
      'vue',
    ].map((ending) => [ending, noLine]),
  ),
}

function cError(token: string): string {
  return `#error ${token}`
}

const endingOf = (path: string): string => extname(path).slice(1).toLowerCase()

/** Whether a file is one that a line can be planted in. */
export function canPlantIn(path: string): boolean {
  return Object.hasOwn(plants, endingOf(path)) && !/\.d\.[cm]?ts$/.test(path)
}

/** The text with the line planted at its top; null where the language is not known. */
export function plantedText(path: string, text: string, token: string): string | null {
  const plant = plants[endingOf(path)]
  if (plant === undefined || !canPlantIn(path)) return null
  const head = headOf(path, text)
  return `${text.slice(0, head)}${plant(token)}\n${text.slice(head)}`
}

/** How much must stay first: an interpreter line, PHP's opening tag, Python's imports from the future. */
function headOf(path: string, text: string): number {
  const ending = endingOf(path)
  if (ending === 'php') return /^[\s\S]*?<\?php\b[^\n]*\n?/.exec(text)?.[0].length ?? 0
  const shebang = /^#![^\n]*\n/.exec(text)?.[0].length ?? 0
  if (ending !== 'py') return shebang
  const future = [...text.matchAll(/^from __future__ import [^\n]*\n/gm)].at(-1)
  return future === undefined ? shebang : future.index + future[0].length
}
