// What a browser has to fetch of a built page, compressed, against what it may be at most.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface Bundle {
  /** What is fetched before anything is shown. */
  readonly firstKb: number
  /** Everything, once each screen was opened. */
  readonly allKb: number
}

export const BUNDLE_MAX: Bundle = { firstKb: 170, allKb: 420 }

export function bundleOf(folder: string): Bundle {
  const first = ['index.html', ...namedBy(readFileSync(join(folder, 'index.html'), 'utf8'))]
  return {
    firstKb: kilobytes(folder, first),
    allKb: kilobytes(folder, globSync('*.{html,js,css}', { cwd: folder })),
  }
}

export function bundleWords({ firstKb, allKb }: Bundle): string {
  return `${firstKb} kB to the first screen (at most ${BUNDLE_MAX.firstKb}), ${allKb} kB in all (at most ${BUNDLE_MAX.allKb}), gzipped`
}

export function isTooBig({ firstKb, allKb }: Bundle): boolean {
  return firstKb > BUNDLE_MAX.firstKb || allKb > BUNDLE_MAX.allKb
}

function namedBy(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].flatMap(([, name]) => name ?? [])
}

function kilobytes(folder: string, names: readonly string[]): number {
  const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length)
  return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 1_000)
}
