// The secrets gate: a scanner over the files that the item changed. What was found is never repeated.
import { lstatSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import { messageOf } from '@treadle/flow/fault'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { readBounded } from '@treadle/process/bounded-file'
import { concludeCheck } from './check-report.ts'
import type { GateOptions } from './tests.ts'

const gate = 'secrets'
const fileBytesMax = 1024 * 1024
const presetId = '@secretlint/secretlint-rule-preset-recommend'

interface SecretFound {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly value: string
  /** It stood in this file before the change. */
  readonly known: boolean
}

export interface Scan {
  readonly result: GateResult
  /** To be kept out of everything that is written after this. */
  readonly values: readonly string[]
}

export async function scanSecrets(options: GateOptions, request: DeliveryGateRequest): Promise<Scan> {
  const startedAt = performance.now()
  const found: SecretFound[] = []
  const notes: string[] = []
  const warnings: string[] = []
  try {
    for (const path of request.changed) {
      if (request.signal?.aborted) return notRun('the run was interrupted')
      if (performance.now() - startedAt > request.timeoutMs)
        return notRun(`the scan did not end within ${request.timeoutMs} ms`)
      const text = await readScannable(request.cwd, path)
      if (text.is === 'skipped') {
        notes.push(`skipped ${path}: ${text.why}`)
        if (text.warn) warnings.push(`${path} was not scanned: ${text.why}`)
        continue
      }
      found.push(...(await scanFile(request, path, text.text)))
      if (/secretlint-disable/.test(text.text))
        warnings.push(...(await newAllowances(request, path, text.text)))
    }
  } catch (error) {
    return notRun(`the scanner failed: ${messageOf(error)}`)
  }
  const values = found.map(({ value }) => value)
  const guarded = { ...options, secrets: [...(options.secrets ?? []), ...values] }
  const result = concludeCheck(guarded, {
    gate,
    startedAt,
    lines: [`${request.changed.length - notes.length} changed file(s) scanned`, ...notes],
    failures: found
      .filter(({ known }) => !known)
      .map(({ file, line, rule }) => ({
        names: [rule],
        file,
        line,
        message: `${file}:${line} holds what looks like a secret (${rule})`,
      })),
    warnings: [
      ...warnings,
      ...found
        .filter(({ known }) => known)
        .map(({ file, line, rule }) => `${file}:${line} holds what looks like a secret (${rule}), as before`),
    ],
  })
  return { result, values }
}

function notRun(why: string): Scan {
  return { result: { is: 'not_run', gate, why }, values: [] }
}

type Scannable =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'skipped'; readonly why: string; readonly warn: boolean }

async function readScannable(cwd: string, path: string): Promise<Scannable> {
  const file = join(cwd, path)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return { is: 'skipped', why: 'deleted', warn: false }
  if (!stat.isFile()) return { is: 'skipped', why: 'not a regular file', warn: false }
  if (stat.size > fileBytesMax) return { is: 'skipped', why: `larger than ${fileBytesMax} bytes`, warn: true }
  const read = readBounded(file, fileBytesMax)
  if (read.is !== 'read') return { is: 'skipped', why: 'it changed while it was read', warn: true }
  const { data } = read
  if (data.includes(0)) return { is: 'skipped', why: 'binary', warn: false }
  return { is: 'text', text: data.toString('utf8') }
}

async function scanFile(request: DeliveryGateRequest, path: string, text: string): Promise<SecretFound[]> {
  const now = await findSecrets(join(request.cwd, path), text)
  if (now.length === 0) return []
  const base = await request.readBase(path)
  const before = new Set(
    (base === null ? [] : await findSecrets(join(request.cwd, path), base)).map(({ value }) => value),
  )
  return now.map((each) => ({ ...each, file: path, known: before.has(each.value) }))
}

/** What looks like a secret in a text, with its line and the rule that knows it. */
export async function findSecrets(filePath: string, content: string) {
  // Only when there is something to scan: the rules take longer to load than an agent takes to start.
  const { lintSource } = await import('@secretlint/core')
  const { creator } = await import('@secretlint/secretlint-rule-preset-recommend')
  const { messages } = await lintSource({
    source: { filePath, content, ext: extname(filePath), contentType: 'text' },
    options: { maskSecrets: true, config: { rules: [{ id: presetId, rule: creator }] } },
  })
  return messages.map(({ loc, ruleId, messageId, range }) => ({
    line: loc.start.line,
    rule: `${ruleId.replace(/^@secretlint\/secretlint-rule-/, '')}/${messageId}`,
    value: content.slice(...range),
  }))
}

/** A change may allow a finding by a comment; whoever reviews it is told. */
async function newAllowances(request: DeliveryGateRequest, path: string, text: string): Promise<string[]> {
  const count = (of: string): number => of.split(/secretlint-disable/).length - 1
  const added = count(text) - count((await request.readBase(path)) ?? '')
  return added > 0 ? [`${path} has ${added} new comment(s) that switch the scanner off`] : []
}
