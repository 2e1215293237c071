// The test integrity gate: a change may add tests, but not make existing ones say less.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult, Wait } from '@treadle/contracts/gate'
import { messageOf } from '@treadle/flow/fault'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { readBoundedStart } from '@treadle/process/bounded-file'
import { concludeCheck, placeOf } from '../check-report.ts'
import type { GateOptions } from '../tests.ts'
import { compareTestFiles, type FileChange } from './compare-files.ts'
import type { Finding } from './finding.ts'
import { changedJudges } from './judges.ts'
import { comparePlainSettings, isPlainSettingsFile } from './plain-settings.ts'
import { compareSettings, isSettingsFile } from './settings.ts'
import { compareSnapshots } from './snapshots.ts'
import { conventionsOf, isScript, isSnapshot, isTestSupport, isTextSupport } from './test-conventions.ts'
import { changedHooks, mayDisarm, newDisarms } from './text-disarm.ts'
import { newIgnores } from './tricks.ts'

const gate = 'test_integrity'
const fileBytesMax = 2 * 1024 * 1024

export async function checkIntegrity(
  options: GateOptions,
  request: DeliveryGateRequest,
): Promise<GateResult> {
  const startedAt = performance.now()
  const looked: FileChange[] = []
  const findings: Finding[] = []
  const taken = new Set(request.revert?.files)
  const judged = request.changed.filter((path) => !taken.has(path))
  try {
    for (const path of judged.filter(matters)) {
      if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
      looked.push({ path, before: await request.readBase(path), after: await readHead(request.cwd, path) })
    }
    findings.push(...judgeChanges(looked))
    const judges = await changedJudges({
      commands: request.judgedBy,
      changed: judged,
      readBase: (path) => request.readBase(path),
      readHead: (path) => readHead(request.cwd, path),
    })
    // One sentence for one file is enough.
    findings.push(...judges.filter(({ file }) => !findings.some((each) => each.file === file && each.blocks)))
  } catch (error) {
    return {
      is: 'not_run',
      gate,
      why: `the tests could not be compared with ${request.base}: ${messageOf(error)}`,
    }
  }
  const blocking = findings.filter(({ blocks }) => blocks)
  const mild = findings.filter(({ blocks }) => !blocks)
  const say = ({ file, line, what }: Finding): string => `${placeOf(file, line)}${what}`
  const allowed = request.mayChangeTests ? blocking : []
  return concludeCheck(options, {
    gate,
    startedAt,
    lines: [
      `held against ${request.base}`,
      ...[...taken].map((path) => `${path} is as it was before #${request.revert?.number}`),
      ...looked.map(({ path, before, after }) => `looked at ${path} (${howChanged(before, after)})`),
    ],
    failures: (request.mayChangeTests ? [] : blocking).map(({ file, line, what }) => ({
      names: ['test integrity'],
      file,
      line,
      message: what,
    })),
    waits: byHand(request),
    warnings: [...allowed.map((each) => `allowed by the item: ${say(each)}`), ...mild.map(say)],
  })
}

/** What of a revert was not computed: somebody reads it, whatever the checks say. */
function byHand({ revert }: DeliveryGateRequest): Wait[] {
  if (revert == null) return []
  const words = `it is not what taking back #${revert.number} leaves by itself`
  return revert.others.map((file) => ({ class: 'by_hand', file, line: null, words }))
}

/** All that a change did to tests and to what decides about them. */
export function judgeChanges(changes: readonly FileChange[]): Finding[] {
  const snapshots = changes.filter(({ path }) => isSnapshot(path))
  const rest = changes.filter(({ path }) => !isSnapshot(path))
  return [
    ...compareTestFiles(rest),
    ...compareSnapshots(snapshots),
    ...rest.flatMap(({ path, before, after }) => [
      ...compareSettings(path, before, after),
      ...comparePlainSettings(path, before, after),
      ...newDisarms(path, before, after),
      ...changedHooks(path, before, after),
      ...(after === null ? [] : newIgnores(path, before, after)),
    ]),
  ]
}

function matters(path: string): boolean {
  return (
    isScript(path) ||
    isTestSupport(path) ||
    isTextSupport(path) ||
    mayDisarm(path) ||
    isSnapshot(path) ||
    isSettingsFile(path) ||
    isPlainSettingsFile(path) ||
    conventionsOf(path).length > 0
  )
}

function howChanged(before: string | null, after: string | null): string {
  if (before === null) return 'new'
  return after === null ? 'deleted' : 'changed'
}

async function readHead(cwd: string, path: string): Promise<string | null> {
  const file = join(cwd, path)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile()) return null
  // Too large to be a test that somebody wrote; cut, so that it still differs from what it was.
  const read = readBoundedStart(file, fileBytesMax)
  return read.is === 'read' ? read.data.toString('utf8') : null
}
