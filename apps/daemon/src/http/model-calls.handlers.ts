import type { modelCallRoutes } from '@treadle/contracts/routes/model-calls'
import type { HandlersOf } from './handler.ts'

export const modelCallHandlers = {
  async beginModelCall({ modelCalls, callsList, stopping }, { body, hungUp }) {
    if (body.goesOn) return modelCalls.goesOn(body)
    const gone = hungUp()
    const until = performance.now() + body.waitMs
    for (;;) {
      const called = callsList.ticket()
      const leftMs = until - performance.now()
      const answer = modelCalls.ask(body, Math.max(0, leftMs))
      if (answer.is === 'go' || leftMs <= 0 || stopping.aborted) return answer
      await called(leftMs, gone)
      // Nobody would hear that it may begin.
      if (gone.aborted) {
        if (modelCalls.end(body.id)) callsList.call()
        return answer
      }
    }
  },

  endModelCall({ modelCalls, callsList }, { params }) {
    if (modelCalls.end(params.id)) callsList.call()
    return Promise.resolve({})
  },
} satisfies HandlersOf<typeof modelCallRoutes>
