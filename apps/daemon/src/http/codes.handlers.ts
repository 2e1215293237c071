import type { codeRoutes } from '@treadle/contracts/routes/codes'
import type { HandlersOf } from './handler.ts'

export const codeHandlers = {
  async listCodes(world, { query, hungUp }) {
    const gone = hungUp()
    const { codes, stopping } = world
    const known = new Set(query.known.split(','))
    const until = performance.now() + query.waitMs
    for (;;) {
      const called = codes.ticket()
      const items = codes.pending()
      const leftMs = until - performance.now()
      const isNews = items.some(({ id }) => !known.has(id))
      if (isNews || leftMs <= 0 || stopping.aborted || gone.aborted) return { items }
      await called(leftMs, gone)
    }
  },
} satisfies HandlersOf<typeof codeRoutes>
