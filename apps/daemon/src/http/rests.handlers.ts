import type { restRoutes } from '@treadle/contracts/routes/rests'
import type { HandlersOf } from './handler.ts'

export const restHandlers = {
  async restModel({ modelRests, cooldowns }, { body }) {
    const { provider, model, engine, report } = body
    const place = { provider, model }
    switch (report.is) {
      case 'ask':
        return modelRests.ask(place)
      case 'failed':
        modelRests.failed(place, report, engine)
        return { is: 'go' }
      case 'succeeded':
        modelRests.succeeded(place, new Date(report.sentAt))
        cooldowns.goesAgain(engine)
        return { is: 'go' }
      case 'leave':
        modelRests.leave(place)
        return { is: 'go' }
    }
  },
} satisfies HandlersOf<typeof restRoutes>
