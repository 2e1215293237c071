import { HttpError } from './http-error.ts'

export type Answer<T> = { status: 200; body: T } | { status: number; error: string }

export function respond<T>(use: () => T): Answer<T> {
  try {
    return { status: 200, body: use() }
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, error: error.message }
    throw error
  }
}
