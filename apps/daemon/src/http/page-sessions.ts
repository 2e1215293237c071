// Pages that have shown their key once: from then on a cookie that no script reads, and a proof that no other address
// reads, stand for it together. Browsers send a cookie to every port of a host, so alone it opens nothing.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isPageProof, PAGE_HEADER, PROOF_PREFIX } from '@treadle/contracts/page-session'
import type { KeyName } from '@treadle/contracts/route'
import { perDaemon } from './handler.ts'

interface PageSession {
  readonly secret: string
  readonly proof: string
  readonly key: KeyName
}

/** The oldest goes when there are more; whoever had it opens the link again. */
const SESSIONS_MAX = 100
const SECRET_BYTES = 32

export class PageSessions {
  #sessions: PageSession[] = []

  open(key: KeyName): PageSession {
    const session = { key, secret: secret(), proof: `${PROOF_PREFIX}${secret()}` }
    this.#sessions = [...this.#sessions, session].slice(-SESSIONS_MAX)
    return session
  }

  end(proof: string): void {
    this.#sessions = this.#sessions.filter((session) => !sameText(session.proof, proof))
  }

  /** The key that a page has shown; null unless both halves are there, and the request comes from our own page. */
  keyOf(headers: IncomingHttpHeaders, port: number, proof: string | undefined): KeyName | null {
    const given = cookieOf(headers, port)
    if (given === undefined || proof === undefined || !isOwnPage(headers)) return null
    const found = this.#sessions.find(
      (session) => sameText(session.proof, proof) && sameText(session.secret, given),
    )
    return found?.key ?? null
  }
}

/** One for each daemon: what it has let in is forgotten when it ends. */
export const pageSessions = perDaemon(() => new PageSessions())

/** The proof in a header of a request; other pages cannot set one without being asked first, which they never are. */
export function proofIn(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[PAGE_HEADER]
  return typeof given === 'string' && isPageProof(given) ? given : undefined
}

/** Sets the cookie of a session; null takes it away. Several daemons share a host, so the port is in its name. */
export function cookieText(port: number, value: string | null): string {
  const ends = value === null ? '; Max-Age=0' : ''
  return `${cookieName(port)}=${value ?? ''}; Path=/api; HttpOnly; SameSite=Strict${ends}`
}

function cookieName(port: number): string {
  return `treadle-${port}`
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, port: number): string | undefined {
  const start = `${cookieName(port)}=`
  const found = cookie.split(/; */).find((pair) => pair.startsWith(start))
  return found?.slice(start.length)
}

/** Browsers say where a request comes from; another port of this host is the same site, and another page. */
function isOwnPage(headers: IncomingHttpHeaders): boolean {
  const from = headers['sec-fetch-site']
  return from === undefined || from === 'same-origin'
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
