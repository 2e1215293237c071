// What the page and the editor send in the place of a key. A key would stay good after the daemon has died, and its
// address may be somebody else's by then; a session is good for one start of the daemon, at one address, and for nothing
// once that has ended.

/** Marks a session among keys: what begins like this is sent as it is. */
const PREFIX = 'session.'

/** Where a daemon answers, and which start of it that is. */
export interface DaemonStart {
  readonly url: string
  /** As `/health` says it. */
  readonly startId: string
}

/** The secret that sessions are made from. It is kept in memory, sent to nobody and written to no storage. */
export function pageKeyOf(key: string): Promise<string> {
  return keyed(key, 'treadle page')
}

/** The session of a page key: whoever listens at another address, or has another start, can do nothing with it. */
export async function sessionOf(pageKey: string, { url, startId }: DaemonStart): Promise<string> {
  return PREFIX + (await keyed(pageKey, `${new URL(url).host} ${startId}`))
}

export function isSession(given: string): boolean {
  return given.startsWith(PREFIX)
}

/** Marks the half of a browser's session that its page keeps; the other half is a cookie that no script reads. */
export const PROOF_PREFIX = 'page.'
/** The header that a page sends its half in. */
export const PAGE_HEADER = 'x-treadle-page'

export function isPageProof(given: string): boolean {
  return given.startsWith(PROOF_PREFIX)
}

async function keyed(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign'])
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)))
  return Array.from(signed, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
