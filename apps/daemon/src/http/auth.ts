// Who may speak to the daemon: loopback names only, pages of its own only, and whoever knows the token.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '@treadle/contracts/problem'

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

export function admitToken(given: string | undefined, token: string): Admission {
  if (given !== undefined && sameText(given, token)) return { is: 'admitted' }
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
  code: 'forbidden_host' | 'forbidden_origin' | 'unauthorized',
  message: string,
  hint: string,
): Admission {
  return { is: 'refused', status, problem: { code, message, hint } }
}
