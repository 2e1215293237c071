// Finding files and lines, nowhere but where the plan looks.
import { realpathSync, statSync } from 'node:fs'
import { glob as globFiles } from 'node:fs/promises'
import { basename, join, matchesGlob } from 'node:path'
import { z } from 'zod'
import { OutsidePath } from '../../scripted/inside.ts'
import { makeTool, nameIn, placeIn, ToolFailure, type ToolWorld } from './tool.ts'

const FOUND_MAX = 500
const SEARCH_MS = 60_000
const SKIPPED: readonly string[] = ['.git', 'node_modules']

const path = z.string().min(1).optional().describe('Folder to look in, relative to the working folder')

export const glob = makeTool({
  name: 'glob',
  description: 'Finds files by a pattern such as **/*.ts.',
  isReading: true,
  input: z.object({ pattern: z.string().min(1).max(1_000), path }),
  async run({ pattern, path: at }, world) {
    keepInside(pattern)
    const found: string[] = []
    for (const place of placesFor(at, world)) {
      for await (const file of filesIn(place, pattern, world.root)) {
        if (world.signal.aborted || found.length > FOUND_MAX) break
        found.push(file)
      }
    }
    return { output: listed([...new Set(found)].sort(), 'No file matches.') }
  },
})

async function* filesIn(place: string, pattern: string, root: string): AsyncGenerator<string> {
  if (isFile(place)) {
    const name = nameIn(root, place)
    if (matchesGlob(name, pattern) || matchesGlob(basename(name), pattern)) yield name
    return
  }
  for await (const file of globFiles(pattern, { cwd: place, exclude: (name) => SKIPPED.includes(name) }))
    if (isWithin(place, realOf(join(place, file)))) yield nameIn(root, join(place, file))
}

export const grep = makeTool({
  name: 'grep',
  description:
    'Finds lines that match an extended regular expression, as file:line:text. What git ignores is left out.',
  isReading: true,
  input: z.object({
    pattern: z.string().min(1).max(1_000),
    path,
    include: z.string().min(1).max(200).optional().describe('Only files like this, for example *.ts'),
    ignoreCase: z.boolean().optional(),
  }),
  async run({ pattern, path: at, include, ignoreCase = false }, world) {
    if (include !== undefined) keepInside(include)
    const files = placesFor(at, world).flatMap((place) => pathspec(place, include, world.root) ?? [])
    if (files.length === 0) return { output: 'Nothing found.' }
    const flags = ['-nIE', '--no-index', '--exclude-standard', '--no-color', ...(ignoreCase ? ['-i'] : [])]
    // By a process of its own: an expression may take for ever, and then only that process does.
    const { exitCode, output } = await world.shell.run({
      argv: ['git', '-c', 'core.quotePath=false', 'grep', ...flags, '-e', pattern, '--', ...files],
      timeoutMs: SEARCH_MS,
      signal: world.signal,
    })
    if (exitCode === 1) return { output: 'Nothing found.' }
    if (exitCode !== 0) throw new ToolFailure(`The search failed: ${output.trim().slice(0, 1_000)}`)
    return { output: listed(output.trimEnd().split('\n'), 'Nothing found.') }
  },
})

/** How git is told of a place, whose name may look like a pattern; null: it is a file that is not included. */
function pathspec(place: string, include: string | undefined, root: string): string | null {
  const name = nameIn(root, place)
  if (include === undefined) return `:(literal)${name || '.'}`
  if (isFile(place)) return matchesGlob(name, `**/${include}`) ? `:(literal)${name}` : null
  const under = name === '' ? '' : `${name.replace(/[\\*?[\]]/g, '\\$&')}/`
  return `:(glob)${under}**/${include}`
}

function keepInside(pattern: string): void {
  if (pattern.startsWith('/') || pattern.split('/').includes('..'))
    throw new ToolFailure('The pattern has to stay in the working folder')
}

/** The places to look in: the one that is named, if the plan allows it, else those of the plan. */
function placesFor(at: string | undefined, { root, scope }: ToolWorld): string[] {
  const kept = scope.flatMap((name) => realIn(root, name) ?? [])
  // A place that is not there is no leave to look everywhere.
  if (scope.length > 0 && kept.length === 0)
    throw new ToolFailure(`The plan keeps to ${scope.join(', ')}, and there is no such place`)
  if (at === undefined) return kept.length === 0 ? [root] : kept
  const place = realOf(placeIn(root, at))
  if (place === null) throw new ToolFailure(`${at} does not exist`)
  if (kept.length === 0 || kept.some((each) => isWithin(each, place))) return [place]
  // Folders beyond the plan are left out; the part that it allows is kept.
  const within = kept.filter((each) => isWithin(place, each))
  if (within.length > 0) return within
  throw new ToolFailure(`${at} is outside of what the plan keeps to: ${scope.join(', ')}`)
}

function realIn(root: string, name: string): string | null {
  try {
    return realOf(placeIn(root, name))
  } catch (error) {
    if (error instanceof OutsidePath) return null
    throw error
  }
}

/** Links are followed before anything is compared; null: it leads nowhere. */
function realOf(place: string): string | null {
  return statSync(place, { throwIfNoEntry: false }) === undefined ? null : realpathSync(place)
}

const isWithin = (outer: string, place: string | null) =>
  place !== null && (place === outer || place.startsWith(`${outer}/`))

const isFile = (place: string) => statSync(place, { throwIfNoEntry: false })?.isFile() === true

function listed(found: readonly string[], none: string): string {
  if (found.length === 0) return none
  const shown = found.slice(0, FOUND_MAX).join('\n')
  return found.length > FOUND_MAX ? `${shown}\n… more than ${FOUND_MAX}; narrow the search` : shown
}
