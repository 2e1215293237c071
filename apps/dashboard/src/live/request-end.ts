// The end of a request, in words for the reader.
import { ApiError } from '@treadle/contracts/client'

export const UNKNOWN =
  'No answer came, so it is not known whether it was done: look at the activity before you press again.'

/** The end of a request; `known` is false if no answer came, since it may have been done all the same. */
export async function requestEnd(
  work: Promise<unknown>,
): Promise<{ problem: string | null; known: boolean }> {
  let known = true
  const watched = work.catch((error: unknown) => {
    known = !(error instanceof ApiError && error.code === 'unreachable')
    throw error
  })
  return { problem: await problemOf(watched), known }
}

/** The reason why work failed, in words for the reader; null if it did not. */
export async function problemOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    return error instanceof ApiError ? `${error.message} ${error.hint}` : String(error)
  }
}
