import { itemLabel } from '@treadle/contracts/ids'
import type { lockRoutes } from '@treadle/contracts/routes/locks'
import { clearanceWords } from '@treadle/contracts/words/clearance'
import { runFurtherFiles } from '@treadle/flow/claim/further-files.run'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const lockHandlers = {
  async listLocks({ store, now }) {
    return { items: await store.fileLocks.live(now()), waits: await store.fileLocks.waits(now()) }
  },

  async takeFiles(world, { params, body }) {
    const taken = await runFurtherFiles(world, { runId: params.id, ...body })
    switch (taken.is) {
      case 'taken':
        return { items: [...taken.locks] }
      case 'locked': {
        const { file, item, lockedBy } = taken.lock
        const words = clearanceWords({ is: 'locked', by: lockedBy, item, file })
        throw new ProblemError(409, {
          code: 'refused',
          message: `${itemLabel(taken.item)} cannot have ${file}: ${words}.`,
          hint: 'Wait or request change.',
          details: { file, lockedBy, lockedFor: item },
        })
      }
      case 'missing':
        throw new ProblemError(404, {
          code: 'not_found',
          message: `There is no run ${params.id}.`,
          hint: 'treadle show <number> names the runs of an item.',
        })
      case 'fenced':
        throw new ProblemError(409, {
          code: 'fenced',
          message: `Run ${params.id} is not ${body.agentId}'s any more: its claim is over.`,
          hint: 'Stop working on it, and ask for other work: GET /api/agents/{id}/next',
        })
      case 'no_build':
        throw new ProblemError(409, {
          code: 'refused',
          message: 'Files are taken only for tasks of a build.',
          hint: 'Every other item has its own branch; nobody has to wait for it.',
        })
    }
  },
} satisfies HandlersOf<typeof lockRoutes>
