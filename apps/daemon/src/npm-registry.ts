// Asks the registry that a project's lock file names about a package. No other registry is asked, and none is guessed.

import { setTimeout as sleep } from 'node:timers/promises'
import type { PackageFacts } from '@treadle/flow/build/builds/package-rule'
import { messageOf } from '@treadle/flow/fault'
import { z } from 'zod'

const TIMEOUT_MS = 10_000
/** A registry that does not answer is asked again: what it says of a moment would hold up a person. */
const TRIES = 3
const PAUSE_MS = 500
const ANSWER_BYTES_MAX = 30_000_000
/** Of a lock file that names nothing but local packages, this many entries are looked at. */
const ENTRIES_MAX = 5_000

const Lock = z.object({
  packages: z.record(z.string(), z.object({ resolved: z.string().optional() }).loose()).optional(),
})
const Packument = z.object({
  time: z.record(z.string(), z.string()).optional(),
  versions: z.record(z.string(), z.unknown()).optional(),
})

type Told =
  | { readonly is: 'known'; readonly facts: PackageFacts }
  | { readonly is: 'refused'; readonly why: string }
/** Silent: it may answer later. */
type Heard = Told | { readonly is: 'silent'; readonly why: string }

/** The address that packages of this lock file come from; null: it names none. */
function registryOf(lock: string): string | null {
  const read = Lock.safeParse(parsed(lock))
  const entries = Object.entries(read.data?.packages ?? {}).slice(0, ENTRIES_MAX)
  for (const [path, { resolved }] of entries) {
    const name = path.split('node_modules/').at(-1) ?? ''
    const at = resolved === undefined || name === '' ? -1 : resolved.indexOf(`/${name}/-/`)
    if (resolved !== undefined && at > 0 && /^https?:\/\//.test(resolved)) return resolved.slice(0, at)
  }
  return null
}

/** Whether a lock file says where its packages come from. */
export function namesRegistry(lock: string | null): boolean {
  return lock !== null && registryOf(lock) !== null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `lock` is package-lock.json; null: there is none. */
export async function askRegistry(lock: string | null, name: string): Promise<Told> {
  const registry = lock === null ? null : registryOf(lock)
  if (registry === null)
    return {
      is: 'refused',
      why: 'no package-lock.json says which registry the packages of this project come from',
    }
  let heard = await askOnce(registry, name)
  for (let tries = 1; tries < TRIES && heard.is === 'silent'; tries += 1) {
    await sleep(PAUSE_MS * tries)
    heard = await askOnce(registry, name)
  }
  return heard.is === 'silent' ? { is: 'refused', why: heard.why } : heard
}

async function askOnce(registry: string, name: string): Promise<Heard> {
  try {
    const response = await fetch(`${registry}/${name.replace('/', '%2f')}`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    if (response.status === 404) {
      await response.body?.cancel()
      return { is: 'refused', why: `${registry} has no package ${name}` }
    }
    if (!response.ok) {
      await response.body?.cancel()
      const is = response.status >= 500 || response.status === 429 ? 'silent' : 'refused'
      return { is, why: `${registry} answered ${response.status}` }
    }
    const { time = {}, versions = {} } = Packument.parse(JSON.parse(await textOf(response)))
    const known = Object.keys(versions).flatMap((version) => {
      const at = time[version]
      return at === undefined ? [] : [{ version, at }]
    })
    return { is: 'known', facts: { name, registry, createdAt: time.created ?? null, versions: known } }
  } catch (error) {
    return { is: 'silent', why: `${registry} gave no answer: ${messageOf(error).slice(0, 300)}` }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
