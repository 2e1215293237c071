// Who reacts to what.
import { RoleView } from '../role.ts'
import { page, route } from '../route.ts'

export const roleRoutes = {
  listRoles: route({
    method: 'GET',
    path: '/api/roles',
    key: 'crew',
    summary: 'The six agents: what starts them, what they react to, what they may do, and what they did last',
    response: page(RoleView),
  }),
} as const
