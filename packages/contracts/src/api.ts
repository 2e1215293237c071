// Every route as data: the daemon serves it, the client calls it, the OpenAPI document describes it.
import type { Route } from './route.ts'
import { agentRoutes } from './routes/agents.ts'
import { buildRoutes } from './routes/builds.ts'
import { categoryRoutes } from './routes/categories.ts'
import { codeRoutes } from './routes/codes.ts'
import { conflictRoutes } from './routes/conflicts.ts'
import { costRoutes } from './routes/costs.ts'
import { engineRoutes } from './routes/engines.ts'
import { ideaRoutes } from './routes/ideas.ts'
import { itemRoutes } from './routes/items.ts'
import { learningRoutes } from './routes/learning.ts'
import { lessonRoutes } from './routes/lessons.ts'
import { lockRoutes } from './routes/locks.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { modelCallRoutes } from './routes/model-calls.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { orderRoutes } from './routes/orders.ts'
import { orphanRoutes } from './routes/orphans.ts'
import { questionRoutes } from './routes/questions.ts'
import { restRoutes } from './routes/rests.ts'
import { reviewRoutes } from './routes/reviews.ts'
import { roleRoutes } from './routes/roles.ts'
import { runRoutes } from './routes/runs.ts'
import { specificationRoutes } from './routes/specifications.ts'
import { systemRoutes } from './routes/system.ts'
import { thoughtRoutes } from './routes/thoughts.ts'

export const routes = {
  ...systemRoutes,
  ...itemRoutes,
  ...agentRoutes,
  ...runRoutes,
  ...lessonRoutes,
  ...learningRoutes,
  ...orderRoutes,
  ...codeRoutes,
  ...orphanRoutes,
  ...conflictRoutes,
  ...lockRoutes,
  ...reviewRoutes,
  ...questionRoutes,
  ...costRoutes,
  ...restRoutes,
  ...modelCallRoutes,
  ...engineRoutes,
  ...notificationRoutes,
  ...metricsRoutes,
  ...ideaRoutes,
  ...categoryRoutes,
  ...thoughtRoutes,
  ...specificationRoutes,
  ...buildRoutes,
  ...roleRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
export const EVENT_STREAM_PATH = '/api/events/stream'
