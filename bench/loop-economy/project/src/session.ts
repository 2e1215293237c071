import { HttpError } from './http-error.ts'

export type Session = { user: string; expiresAt: number }

export function readToken(token: string): Session {
  const [user = '', expiresAt = ''] = token.split(':')
  if (user === '' || !/^\d+$/.test(expiresAt)) throw new HttpError(400, 'the token cannot be read')
  return { user, expiresAt: Number(expiresAt) }
}

export function requireUser(token: string | null, now: number): string {
  if (token === null) throw new HttpError(401, 'a token is needed')
  const session = readToken(token)
  if (session.expiresAt <= now) throw new HttpError(401, `the session of ${session.user} has ended`)
  return session.user
}
