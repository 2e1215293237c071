// The gate of new capabilities: a standing order merges only what brings none; everything else waits for a reader.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type GateResult, needsPerson, type Wait } from '@treadle/contracts/gate'
import { messageOf } from '@treadle/flow/fault'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { concludeCheck } from '../check-report.ts'
import type { Finding } from '../integrity/finding.ts'
import type { GateOptions } from '../tests.ts'
import type { CapabilityReading } from './capability.ts'
import { diffCapabilities, type ReadChange } from './capability-diff.ts'
import { compareConfiguration, isConfiguration } from './configuration.ts'
import {
  isMachineCode,
  isOtherCode,
  isPython,
  isScript,
  isTestMaterial,
  isTidying,
  readHead,
} from './head-files.ts'
import { kindOf } from './links.ts'
import { isNpmLock, lockConcern } from './lock-file.ts'
import { protectedAs } from './protected-paths.ts'
import { readByTests } from './read-by-tests.ts'
import { type PythonReading, readPythonTexts, type Statement } from './read-python.ts'
import { readScript } from './read-script.ts'
import { findShadows } from './shadows.ts'
import { throughImports } from './through-imports.ts'

const gate = 'capabilities'
const filesMax = 1_000

export async function checkCapabilities(
  options: GateOptions,
  request: DeliveryGateRequest,
): Promise<GateResult> {
  const startedAt = performance.now()
  try {
    const { refused, waits } = await findBrought(options, request)
    if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
    const allowed = request.mayChangeTests ? refused.filter(({ line }) => line !== null) : []
    const stands = refused.filter((each) => !allowed.includes(each))
    const all = [
      ...waits,
      ...allowed.map(({ file, line, what }): Wait => ({ class: 'capability', file, line, words: what })),
    ]
    const others = request.changed.filter(isOtherCode)
    return concludeCheck(options, {
      gate,
      startedAt,
      lines: [`held against ${request.base}`, ...request.changed.map((path) => `changed: ${path}`)],
      failures: stands.map(({ file, line, what }) => ({
        names: ['new capabilities'],
        file,
        line,
        message: what,
      })),
      waits: [...all.filter(needsPerson), ...all.filter((each) => !needsPerson(each))],
      warnings:
        others.length === 0
          ? []
          : [`not looked at, for want of a reader of the language: ${others.slice(0, 20).join(', ')}`],
    })
  } catch (error) {
    return {
      is: 'not_run',
      gate,
      why: `the change could not be held against ${request.base}: ${messageOf(error)}`,
    }
  }
}

interface Brought {
  readonly refused: readonly Finding[]
  readonly waits: readonly Wait[]
}

/** All that a change brings, class by class. */
export async function findBrought(options: GateOptions, request: DeliveryGateRequest): Promise<Brought> {
  const refused: Finding[] = []
  const waits: Wait[] = []
  const looked = request.changed.slice(0, filesMax)
  for (const path of looked) {
    const what = await protectedWords(request, path)
    if (what !== null) waits.push(wait('protected_path', path, `acts outside of the tests: ${what}`))
    const kind = kindOf(request.cwd, path)
    if (kind.is === 'link' && kind.leaves)
      refused.push({
        file: path,
        line: null,
        what: `the link leads out of the tree, to ${kind.to}`,
        blocks: true,
      })
    else if (kind.is === 'link') waits.push(wait('unreadable', path, `it is a link now, to ${kind.to}`))
    else if (kind.is === 'folder') waits.push(wait('unreadable', path, 'it is a repository of its own'))
    else if (isMachineCode(path) && kind.is === 'file')
      waits.push(wait('unreadable', path, 'machine code cannot be read'))
  }
  if (request.changed.length > filesMax)
    waits.push(
      wait('unreadable', '', `${request.changed.length - filesMax} further files were not looked at`),
    )
  const changes = await readChanges(options, request, looked)
  const brought = diffCapabilities(changes.read)
  waits.push(...changes.configuration, ...brought.waits, ...(await throughImports(request, changes.read)))
  waits.push(...(await readByTests({ ...request, changed: looked })))
  const shadows = await findShadows({ ...request, changed: looked })
  return {
    refused: [...refused, ...shadows.refused, ...brought.refused],
    waits: [...waits, ...shadows.waits],
  }
}

/** What a protected file acts on. A lock file that only follows its manifest acts on nothing new. */
async function protectedWords({ cwd, readBase }: DeliveryGateRequest, path: string): Promise<string | null> {
  const what = protectedAs(path)
  if (what === null || !isNpmLock(path)) return what
  const manifest = posix.join(posix.dirname(path), 'package.json')
  const concern = lockConcern({
    before: await readBase(path),
    after: await readHead(cwd, path),
    manifestBefore: await readBase(manifest),
    manifestAfter: await readHead(cwd, manifest),
  })
  return concern === null ? null : `${what}: ${concern}`
}

function wait(kind: Wait['class'], file: string, words: string): Wait {
  return { class: kind, file, line: null, words }
}

interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

async function readChanges(
  options: GateOptions,
  request: DeliveryGateRequest,
  paths: readonly string[],
): Promise<{ read: ReadChange[]; configuration: Wait[] }> {
  const read: ReadChange[] = []
  const configuration: Wait[] = []
  const python: TextChange[] = []
  for (const path of paths) {
    const isConfig = isConfiguration(path)
    if (!isConfig && ((!isScript(path) && !isPython(path)) || isTidying(path))) continue
    const change = { path, before: await request.readBase(path), after: await readHead(request.cwd, path) }
    if (isConfig) configuration.push(...configurationWaits(request, change))
    else if (isPython(path)) python.push(change)
    else read.push(scriptChange(change))
  }
  const readings = await readPythonChanges(options, request, python)
  for (const { change, was, is } of readings) {
    if (posix.basename(change.path) === 'conftest.py')
      configuration.push(...conftestWaits(request, change.path, { was, is }))
    else read.push({ path: change.path, isTest: isTestMaterial(change.path), was, is })
  }
  return { read, configuration }
}

/** An item that may change tests may change what they are run with. */
function configurationWaits(
  { mayChangeTests }: DeliveryGateRequest,
  { path, before, after }: TextChange,
): Wait[] {
  if (mayChangeTests) return []
  return compareConfiguration(path, before, after).map(({ line, words }) => ({
    class: 'configuration',
    file: path,
    line,
    words,
  }))
}

function scriptChange({ path, before, after }: TextChange): ReadChange {
  const reading = (text: string | null): CapabilityReading | null =>
    text === null ? null : readScript(path, text)
  return { path, isTest: isTestMaterial(path), was: reading(before), is: reading(after) }
}

interface PythonChange {
  readonly change: TextChange
  readonly was: PythonReading | null
  readonly is: PythonReading | null
}

async function readPythonChanges(
  options: GateOptions,
  request: DeliveryGateRequest,
  changes: readonly TextChange[],
): Promise<PythonChange[]> {
  const texts = [...new Set(changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()))]
  const isOwn = (name: string): boolean =>
    ['', 'src', 'lib', 'python'].some(
      (folder) =>
        existsSync(join(request.cwd, folder, name)) || existsSync(join(request.cwd, folder, `${name}.py`)),
    )
  const readings = await readPythonTexts(options, request, { texts, isOwn })
  const of = (text: string | null): PythonReading | null =>
    text === null ? null : (readings[texts.indexOf(text)] ?? null)
  return changes.map((change) => ({ change, was: of(change.before), is: of(change.after) }))
}

/** A conftest.py acts on every test; only a fixture that must be asked for by its name changes none. */
function conftestWaits(
  { mayChangeTests }: DeliveryGateRequest,
  path: string,
  { was, is }: Pick<PythonChange, 'was' | 'is'>,
): Wait[] {
  if (mayChangeTests) return []
  if (was?.is === 'unreadable' || is?.is === 'unreadable')
    return [wait('unreadable', path, 'it acts on every test, and cannot be read')]
  const [before, after] = [was?.statements ?? [], is?.statements ?? []]
  const texts = new Set(before.map(([, text]) => text))
  const kept = after.filter(([, text]) => texts.has(text)).length
  const known = new Set(before.map(([kind]) => kind))
  const isQuiet = ([kind]: Statement): boolean =>
    kind === 'import' || kind === 'text' || (kind.startsWith('fixture ') && !known.has(kind))
  const isMore = kept === before.length && after.filter(([, text]) => !texts.has(text)).every(isQuiet)
  return isMore ? [] : [{ ...wait('configuration', path, 'it acts on every test, and was changed') }]
}
