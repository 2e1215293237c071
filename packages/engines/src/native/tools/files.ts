// Reading and changing files.
import { isUtf8 } from 'node:buffer'
import { mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readForeign, writeForeign } from '@treadle/sandbox/foreign-files'
import { z } from 'zod'
import { unifiedDiff } from './diff.ts'
import { makeTool, nameIn, placeIn, ToolFailure } from './tool.ts'

const BYTES_MAX = 2_000_000
const LINES_MAX = 1_500

const filePath = z.string().min(1).describe('Path, relative to the working folder')

export const read = makeTool({
  name: 'read',
  description: 'Reads a file, with line numbers, or lists a folder.',
  isReading: true,
  input: z.object({
    filePath,
    offset: z.number().int().min(1).optional().describe('First line, 1 if left out'),
    limit: z.number().int().min(1).optional().describe(`How many lines, at most ${LINES_MAX}`),
  }),
  async run({ filePath: file, offset = 1, limit = LINES_MAX }, { root }) {
    const path = placeIn(root, file)
    if (statOf(path, file).isDirectory()) return { output: listOf(path) }
    const lines = bytesOf(root, path, file).toString('utf8').split('\n')
    const wanted = lines.slice(offset - 1, offset - 1 + Math.min(limit, LINES_MAX))
    const more = lines.length - (offset - 1) - wanted.length
    const shown = wanted.map((line, at) => `${offset + at}\t${line}`).join('\n')
    return { output: more > 0 ? `${shown}\n… ${more} more lines` : shown }
  },
})

export const edit = makeTool({
  name: 'edit',
  description:
    'Replaces a piece of text in a file. It has to be there exactly once, unless replaceAll is set.',
  isReading: false,
  input: z.object({
    filePath,
    oldString: z.string().min(1),
    newString: z.string(),
    replaceAll: z.boolean().optional(),
  }),
  async run({ filePath: file, oldString, newString, replaceAll = false }, { root }) {
    const path = placeIn(root, file)
    const before = textOf(root, path, file)
    const found = before.split(oldString).length - 1
    if (found === 0) throw new ToolFailure(`${file} does not hold that text; read it again`)
    if (found > 1 && !replaceAll)
      throw new ToolFailure(`${file} holds that text ${found} times; give more of what is around it`)
    const after = before.split(oldString).join(newString)
    put(root, path, after)
    const times = found === 1 ? '' : `, ${found} times`
    return { output: `Replaced in ${file}${times}.`, diff: unifiedDiff(nameIn(root, path), before, after) }
  },
})

export const write = makeTool({
  name: 'write',
  description: 'Writes a whole file, new or in place of the old one.',
  isReading: false,
  input: z.object({ filePath, content: z.string().max(BYTES_MAX) }),
  async run({ filePath: file, content }, { root }) {
    const path = placeIn(root, file)
    const old = statSync(path, { throwIfNoEntry: false })
    if (old?.isDirectory() === true) throw new ToolFailure(`${file} is a folder`)
    const before = old === undefined ? '' : textOf(root, path, file)
    mkdirSync(dirname(path), { recursive: true })
    put(root, path, content)
    return { output: `Wrote ${file}.`, diff: unifiedDiff(nameIn(root, path), before, content) }
  },
})

function statOf(path: string, file: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new ToolFailure(`${file} does not exist`)
  return found
}

/** The text of a file; one that would not be the same again once it is written back is not changed. */
function textOf(root: string, path: string, file: string): string {
  const content = bytesOf(root, path, file)
  if (!isUtf8(content))
    throw new ToolFailure(`${file} is not in UTF-8; change it with a command that knows it`)
  return content.toString('utf8')
}

/** Commands of other tasks run at the same time, so what is opened is looked at, not what was there before. */
function bytesOf(root: string, path: string, file: string): Buffer {
  const found = statOf(path, file)
  if (!found.isFile()) throw new ToolFailure(`${file} is not a file`)
  if (found.size > BYTES_MAX) throw new ToolFailure(`${file} is too large: ${found.size} bytes`)
  const content = readForeign(root, path, BYTES_MAX)
  if (content === null) throw new ToolFailure(`${file} is not a file of the working folder`)
  if (content.includes(0)) throw new ToolFailure(`${file} is not a text`)
  return content
}

/** A link inside the worktree stays one: its target is written. */
function put(root: string, path: string, text: string): void {
  const old = statSync(path, { throwIfNoEntry: false })
  const place = old === undefined ? path : realpathSync(path)
  writeForeign(root, place, text, (old?.mode ?? 0o644) & 0o777)
}

function listOf(path: string): string {
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => name !== '.git')
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  const more = names.length - LINES_MAX
  return [...names.slice(0, LINES_MAX), ...(more > 0 ? [`… ${more} more`] : [])].join('\n')
}
