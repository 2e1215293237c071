import type { engineRoutes } from '@treadle/contracts/routes/engines'
import { messageOf } from '@treadle/flow/fault'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const engineHandlers = {
  async listEngines({ probeEngines, log }) {
    try {
      const probes = await probeEngines()
      return {
        default: probes.default,
        items: probes.engines.map((engine) =>
          engine.is === 'usable'
            ? { name: engine.name, usable: true, found: engine.note, hint: null }
            : { name: engine.name, usable: false, found: engine.why, hint: engine.hint },
        ),
      }
    } catch (error) {
      log.warn({ why: messageOf(error) }, 'the engines could not be asked')
      throw new ProblemError(500, {
        code: 'internal',
        message: 'The engines could not be asked whether they can be used.',
        hint: 'treadle doctor says more.',
      })
    }
  },
} satisfies HandlersOf<typeof engineRoutes>
