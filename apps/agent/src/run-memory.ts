// What the crew knows, as one run reaches it: the daemon decides what it is shown, and remembers what it decided.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Lesson, NewLesson } from '@treadle/contracts/lesson'
import { RunRecall } from '@treadle/contracts/recall'
import { messageOf } from '@treadle/flow/fault'
import type { BookQuery } from '@treadle/flow/ports/memory'
import type { RepairMemory } from '@treadle/repair/memory'
import type { Home } from './home.ts'

export class RunMemory implements RepairMemory {
  readonly #home: Home
  readonly #run: { readonly id: string; readonly item: ItemRef }
  readonly #log: (message: string) => void
  /** Which attempt is under way. */
  attempt = 1

  constructor(
    home: Home,
    run: { readonly id: string; readonly item: ItemRef },
    log: (message: string) => void,
  ) {
    this.#home = home
    this.#run = run
    this.#log = log
  }

  async recall(query: BookQuery): Promise<Lesson[]> {
    try {
      const body = askedBy(query, this.attempt)
      return (await this.#home.client().recallForRun({ params: { id: this.#run.id }, body })).shown
    } catch (error) {
      this.#log(`lessons: ${messageOf(error)}`)
      return []
    }
  }

  /** With where it comes from, if that is not said yet. */
  async record(lesson: NewLesson): Promise<void> {
    const { id, item } = this.#run
    const provenance =
      lesson.provenance.runId === null
        ? { ...lesson.provenance, runId: id, attempt: this.attempt }
        : lesson.provenance
    const seenAt = lesson.seenAt ?? `${item.projectNumber}/${item.number}`
    await this.#home
      .client()
      .recordLesson({ body: { ...lesson, provenance, seenAt } })
      .catch((error: unknown) => this.#log(`lesson: ${messageOf(error)}`))
  }
}

function askedBy(query: BookQuery, attempt: number): RunRecall {
  const { path, paths = [], topic, topics = [], signature, similarTo, ...rest } = query
  const one = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])
  return RunRecall.parse({
    ...rest,
    paths: [...one(path), ...paths],
    topics: [...topics, ...one(topic)],
    signatures: one(signature),
    similarTo: one(similarTo),
    attempt,
  })
}
