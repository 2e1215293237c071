// The map: the folders of the flow are its ten words and what stands below them, and no folders lead to each other in circles.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const flow = join(root, 'packages/flow/src')
const STAGES = ['idea', 'spec', 'claim', 'build', 'verify', 'review', 'merge', 'learn', 'supervise', 'ask']
const BELOW = ['ports', 'work', 'sprint']
const READ_FIRST = ['flow.ts', 'item.machine.ts', 'step.ts', 'advance.ts', 'next.ts']
const MORE_MAX = 5

/** The only writer, and the type of what follows a move, which goes by noun and verb to any noun. */
const WHOLE_STORE = ['advance.ts', 'work/consequence.ts']

/** Folders of the dashboard that know no screen, and those that know every screen. The others are features. */
const PAGE_BELOW = ['live', 'webview', 'parts', 'session', 'thread']
const PAGE_ABOVE = ['frame']

test('the flow shows the ten words, what stages share, the five files that are read first and at most five more', () => {
  const entries = readdirSync(flow, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.filter((name) => ![...STAGES, ...BELOW].includes(name))).toEqual([])
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  expect(files).toEqual(expect.arrayContaining(READ_FIRST))
  expect(files.length - READ_FIRST.length).toBeLessThanOrEqual(MORE_MAX)
})

test.each(['STYLE.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CONTEXT.md'])(
  'what %s says of files is there',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const named = [
      ...text.matchAll(/`((?:packages|apps|tools|scenarios|requirements|docs|bench)\/[\w./-]+)`/g),
    ]
    const gone = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))
    expect(gone).toEqual([])
  },
)

test('STYLE.md and CONTEXT.md name the ten words', () => {
  for (const page of ['STYLE.md', 'CONTEXT.md']) {
    const text = readFileSync(join(root, page), 'utf8')
    expect(STAGES.filter((word) => !text.includes(word))).toEqual([])
  }
})

test('no stage names the whole store: each takes the nouns that it uses, and is handed the way to move items', () => {
  const files = readdirSync(flow, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('ports/') && !WHOLE_STORE.includes(file),
  )
  expect(files.length).toBeGreaterThan(100)
  const wrong = files.flatMap((file) => {
    const text = readFileSync(join(flow, file), 'utf8')
    const whole = text.replaceAll('import type { Store } from', '').replaceAll(/\bPick<\s*Store,/g, '')
    return /[:<&|=,]\s*Store\b/.test(whole) || /from '[./]+\/advance\.ts'/.test(whole) ? [file] : []
  })
  expect(wrong).toEqual([])
})

test.each(sources())('no folders of %s lead to each other in circles, types included', (folder) => {
  expect(circlesIn(folder)).toEqual([])
})

test('features of the dashboard know neither each other nor the frame, and what they share knows no feature', () => {
  const doors = doorsOf(importsIn(join(root, 'apps/dashboard/src')), '', false)
  const wrong = [...doors].flatMap(([from, to]) =>
    [...to]
      .filter((child) => !PAGE_ABOVE.includes(from) && !PAGE_BELOW.includes(child))
      .map((child) => `${from} -> ${child}`),
  )
  expect(wrong).toEqual([])
  expect([...doors.keys()]).toEqual(expect.arrayContaining([...PAGE_BELOW, ...PAGE_ABOVE]))
})

function sources(): string[] {
  const owners = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}/src`),
  )
  return owners.filter((folder) => existsSync(join(root, folder)))
}

/** Each level by itself: a folder leads to what its files import. The files beside the folders of flow are floors, too. */
function circlesIn(source: string): string[] {
  const base = join(root, source)
  const imports = importsIn(base)
  const levels = new Set([...imports.keys()].flatMap((file) => foldersOf(file)))
  return [...levels].sort().flatMap((level) =>
    knotsIn(doorsOf(imports, level, base === flow)).map((knot) => {
      const place = level === '' ? source : `${source}/${level}`
      return `${place}: ${knot.join(' ')}`
    }),
  )
}

/** Product files below a folder, each with what it imports by a relative path. */
function importsIn(base: string): Map<string, string[]> {
  const files = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes('testing/'),
  )
  return new Map(files.map((file) => [file, importsOf(base, file)]))
}

function importsOf(base: string, file: string): string[] {
  const text = readFileSync(join(base, file), 'utf8')
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
  return found.map(([, path = '']) => relative(base, join(base, dirname(file), path)))
}

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))]
}

function doorsOf(
  imports: ReadonlyMap<string, readonly string[]>,
  level: string,
  withFiles: boolean,
): Map<string, Set<string>> {
  const childOf = (file: string): string | null => {
    if (level !== '' && !file.startsWith(`${level}/`)) return null
    const [child = '', ...rest] = (level === '' ? file : file.slice(level.length + 1)).split('/')
    return rest.length > 0 || withFiles ? child : null
  }
  const doors = new Map<string, Set<string>>()
  for (const [file, imported] of imports) {
    const from = childOf(file)
    if (from === null) continue
    const to = doors.get(from) ?? new Set()
    for (const child of imported.map(childOf)) if (child !== null && child !== from) to.add(child)
    doors.set(from, to)
  }
  return doors
}

/** Sets of children that reach each other both ways. */
function knotsIn(doors: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...doors.keys()].map((child) => [child, reachedFrom(doors, child)]))
  const knots = new Map<string, string[]>()
  for (const [child, reach] of reached) {
    const knot = [...reach].filter((other) => reached.get(other)?.has(child)).sort()
    if (knot.length > 1) knots.set(knot.join(' '), knot)
  }
  return [...knots.values()]
}

function reachedFrom(doors: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const reach = new Set<string>()
  const open = [start]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const child of doors.get(next) ?? []) {
      if (reach.has(child)) continue
      reach.add(child)
      open.push(child)
    }
  return reach
}
