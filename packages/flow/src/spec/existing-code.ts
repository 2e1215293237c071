// Code that is there and of the kind that a specification adds to: which files, and what they have in common.
import type { Layout } from './layouts.ts'

interface SampleAsked {
  readonly layer: keyof Layout
  readonly files: readonly string[]
}

const SAMPLES_MAX = 3

/** Files that match the layout's patterns, by layer, the first few of each to be read. */
export function filesLike(files: readonly string[], layout: Layout): SampleAsked[] {
  const layers = ['database', 'types', 'queries', 'api', 'ui'] as const
  return layers.flatMap((layer) => {
    const pattern = layout[layer]
    if (pattern === null) return []
    const like = new RegExp(
      `^${pattern
        .split(/\{\w+\}/)
        .map(escaped)
        .join('[^/]+')}$`,
    )
    const found = files.filter(
      (file) => like.test(file) && !/(?:^|\/)index\.\w+$|\.(?:test|spec)\./.test(file),
    )
    return found.length === 0 ? [] : [{ layer, files: found }]
  })
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

export function samplesOf({ files }: SampleAsked): readonly string[] {
  return files.slice(-SAMPLES_MAX)
}

const SHOWN_MAX = 4

/** One line on the files of a layer: how many, which ones, and what those that were read begin with. */
export function existingLine({ layer, files }: SampleAsked, texts: readonly string[]): string {
  const shared = commonImports(texts)
  const shown = files.slice(0, SHOWN_MAX).join(', ')
  const more = files.length > SHOWN_MAX ? ` and ${files.length - SHOWN_MAX} more` : ''
  const uses = shared.length === 0 ? '' : `; they import ${shared.join(', ')}`
  return `${layer}: ${shown}${more}${uses}`
}

function commonImports(texts: readonly string[]): string[] {
  const each = texts.map(
    (text) =>
      new Set(
        [...text.matchAll(/^[ \t]*(?:import\b.*?\bfrom|import|from)\s+['"]?([\w@./-]+)/gm)].map(
          ([, name = '']) => name,
        ),
      ),
  )
  const [first, ...rest] = each
  return [...(first ?? [])]
    .filter((name) => name !== '' && rest.every((names) => names.has(name)))
    .slice(0, 5)
}
