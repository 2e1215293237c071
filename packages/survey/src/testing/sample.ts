// A small repository in memory, for tests of surveys, and what they say of it.
import type { Category } from '@treadle/contracts/categories'
import { lookAround } from '../look-around.ts'
import { Project } from '../project.ts'

const NOW = new Date('2026-06-01T00:00:00Z')

interface Sample {
  readonly files: Record<string, string | object>
  /** Installed packages by name. */
  readonly installed?: Record<string, object>
  readonly lineTimes?: Record<string, readonly (string | null)[]>
}

export async function keysIn(
  { files, installed = {}, lineTimes = {} }: Sample,
  category: Category,
): Promise<string[]> {
  return (await reportOf({ files, installed, lineTimes }, category)).findings.map(({ key }) => key)
}

export function reportOf(
  { files, installed = {}, lineTimes = {} }: Sample,
  category: Category | null,
  eachMax = 100,
) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [path, textOf(text)]))
  const packages = Object.entries(installed).map(([name, data]) => [
    `node_modules/${name}/package.json`,
    textOf(data),
  ])
  const all = new Map([...texts, ...(packages as [string, string][])])
  const tree = {
    files: async () => [...texts.keys()],
    read: async (path: string) => all.get(path) ?? null,
    lineTimes: async (path: string) =>
      (lineTimes[path] ?? []).map((at) => (at === null ? null : new Date(at))),
  }
  const project = new Project(tree, () => NOW)
  return lookAround(project, { category, eachMax, onLook: () => undefined })
}

const textOf = (text: string | object) => (typeof text === 'string' ? text : JSON.stringify(text))

export const one = (...lines: string[]) => `${lines.join('\n')}\n`
