// Who may speak to the daemon: loopback names only, pages of its own only, and whoever has a key that opens what is asked.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { pageKeyOf, sessionOf } from '@treadle/contracts/page-session'
import type { Problem } from '@treadle/contracts/problem'
import type { KeyName, Route } from '@treadle/contracts/route'
import type { World } from '../world.ts'

export type Admission =
  | { readonly is: 'admitted' }
  | { readonly is: 'refused'; readonly status: 401 | 403; readonly problem: Problem['error'] }

const HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** A name that resolves to loopback elsewhere (DNS rebinding) and a foreign page are turned away before anything is read. */
export function admitCaller(headers: IncomingHttpHeaders): Admission {
  const host = hostname(headers.host)
  if (host === null || !HOSTS.has(host)) {
    return refuse(
      403,
      'forbidden_host',
      'This daemon answers only to loopback names.',
      'Use http://127.0.0.1:<port>.',
    )
  }
  const origin = headers.origin
  if (origin !== undefined && origin !== `http://${headers.host}`) {
    return refuse(
      403,
      'forbidden_origin',
      'Requests from other pages are not taken.',
      'Open the dashboard that this daemon serves.',
    )
  }
  return { is: 'admitted' }
}

export type KeyAdmission =
  | { readonly is: 'admitted'; readonly key: KeyName }
  | Extract<Admission, { is: 'refused' }>

/** What each key is known by: its own text, and the session that pages of this start have in its place. */
export interface Keys {
  readonly crew: readonly string[]
  readonly owner: readonly string[]
}

type Start = Pick<World, 'token' | 'ownerKey' | 'startId'>

/** The keys of a daemon that listens at a port; worked out when the first caller comes. */
export function keysOf({ token, ownerKey, startId }: Start): (port: number) => Promise<Keys> {
  let keys: Promise<Keys> | undefined
  const known = async (key: string, url: string) => [
    key,
    await sessionOf(await pageKeyOf(key), { url, startId }),
  ]
  const workOut = async (url: string) => ({
    crew: await known(token, url),
    owner: await known(ownerKey, url),
  })
  return (port) => {
    keys ??= workOut(`http://127.0.0.1:${port}`)
    return keys
  }
}

/** Says which of the keys was given; null if it is none. */
export function keyGiven(given: string | undefined, keys: Keys): KeyName | null {
  if (isOneOf(given, keys.owner)) return 'owner'
  return isOneOf(given, keys.crew) ? 'crew' : null
}

/** Lets in whoever has shown a key that is enough for what is wanted. */
export function admitKey(shown: KeyName | null, wanted: Exclude<Route['key'], 'none'>): KeyAdmission {
  if (shown === 'owner' || shown === wanted) return { is: 'admitted', key: shown }
  if (shown === 'crew')
    return refuse(
      403,
      'owner_key_needed',
      'This wants the owner’s key; the crew key reads, adds items, claims and reports.',
      'Do it with treadle in your own terminal, or on the page that treadle open shows. Scripts name the key’s file in TREADLE_OWNER_KEY_FILE.',
    )
  return refuse(
    401,
    'unauthorized',
    'No valid token was given.',
    'Send authorization: Bearer <token>; treadle status --json prints it.',
  )
}

export function bearer(headers: IncomingHttpHeaders): string | undefined {
  const match = /^Bearer (\S+)$/.exec(headers.authorization ?? '')
  return match?.[1]
}

function isOneOf(given: string | undefined, known: readonly string[]): boolean {
  return given !== undefined && known.some((key) => sameText(given, key))
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function hostname(host: string | undefined): string | null {
  if (host === undefined) return null
  const match = /^(\[[0-9a-f:]+\]|[^:]+)(:\d+)?$/i.exec(host)
  return match?.[1]?.toLowerCase() ?? null
}

function refuse(
  status: 401 | 403,
  code: 'forbidden_host' | 'forbidden_origin' | 'unauthorized' | 'owner_key_needed',
  message: string,
  hint: string,
): Extract<Admission, { is: 'refused' }> {
  return { is: 'refused', status, problem: { code, message, hint } }
}
