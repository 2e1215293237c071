import type { roleRoutes } from '@treadle/contracts/routes/roles'
import { readRoles } from '@treadle/flow/supervise/roles/view.run'
import type { HandlersOf } from './handler.ts'

export const roleHandlers = {
  async listRoles({ store }) {
    return { items: await readRoles(store) }
  },
} satisfies HandlersOf<typeof roleRoutes>
