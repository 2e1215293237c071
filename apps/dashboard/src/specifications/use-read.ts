// What the reader has before them stays until they ask for the newer revision: only what was read is approved.
import type { Client } from '@treadle/contracts/client'
import { ApiError } from '@treadle/contracts/client'
import type { Slug } from '@treadle/contracts/idea'
import type { SpecificationView } from '@treadle/contracts/specification'
import { useCallback, useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'

export interface ReadSpecification {
  /** Null where its task file was edited and cannot be read. */
  readonly specification: SpecificationView | null
  /** Why not: line and reason. */
  readonly why: string | null
  readonly document: { readonly spec: string; readonly tasks: string }
}

interface Reading {
  /** What is shown; null before the first answer. */
  readonly shown: ReadSpecification | null
  /** A revision that came since. */
  readonly newer: number | null
  readonly problem: string | null
  /** Shows the newest. */
  readonly takeNewest: () => void
  /** The next revision is what the reader has asked for, and is shown as soon as it is there. */
  readonly awaitNext: () => void
}

export function useRead(live: Live, slug: Slug, again: string): Reading {
  const ask = useCallback(
    async (client: Client): Promise<ReadSpecification> => {
      const params = { id: slug }
      const [read, document] = await Promise.all([
        client
          .showSpecification({ params })
          .then((specification) => ({ specification, why: null }), unreadable),
        client.specificationDocument({ params }),
      ])
      return revealAll({ ...read, document })
    },
    [slug],
  )
  const { answer, problem } = useAnswer(live, ask, again)
  const [read, setRead] = useState<ReadSpecification | null>(null)
  const [isAwaited, setAwaited] = useState(false)
  const isSame = answer === null || read?.specification?.revision === answer.specification?.revision
  const isTaken = isSame || isAwaited || read === null || read.specification === null
  // The first answer is what is read, and so is each later one of the same revision.
  if (isTaken && read !== answer) setRead(answer)
  if (isAwaited && !isSame) setAwaited(false)
  return {
    shown: isTaken ? answer : read,
    newer: isTaken ? null : (answer.specification?.revision ?? null),
    problem,
    takeNewest: () => setRead(answer),
    awaitNext: () => setAwaited(true),
  }
}

/** The task file was edited and cannot be read: the document is shown all the same. */
function unreadable(error: unknown): { specification: null; why: string } {
  if (error instanceof ApiError && error.status === 409)
    return { specification: null, why: `${error.message} ${error.hint}` }
  throw error
}
