// The handlers of every feature. A new feature adds its file and one line here.
import type { routes } from '@treadle/contracts/api'
import { agentHandlers } from './agents.handlers.ts'
import { buildHandlers } from './builds.handlers.ts'
import { categoryHandlers } from './categories.handlers.ts'
import { codeHandlers } from './codes.handlers.ts'
import { conflictHandlers } from './conflicts.handlers.ts'
import { costHandlers } from './costs.handlers.ts'
import { engineHandlers } from './engines.handlers.ts'
import type { HandlersOf } from './handler.ts'
import { ideaHandlers } from './ideas.handlers.ts'
import { itemHandlers } from './items.handlers.ts'
import { learningHandlers } from './learning.handlers.ts'
import { lessonHandlers } from './lessons.handlers.ts'
import { lockHandlers } from './locks.handlers.ts'
import { metricsHandlers } from './metrics.handlers.ts'
import { modelCallHandlers } from './model-calls.handlers.ts'
import { notificationHandlers } from './notifications.handlers.ts'
import { orderHandlers } from './orders.handlers.ts'
import { orphanHandlers } from './orphans.handlers.ts'
import { questionHandlers } from './questions.handlers.ts'
import { restHandlers } from './rests.handlers.ts'
import { reviewHandlers } from './reviews.handlers.ts'
import { roleHandlers } from './roles.handlers.ts'
import { runHandlers } from './runs.handlers.ts'
import { specificationHandlers } from './specifications.handlers.ts'
import { systemHandlers } from './system.handlers.ts'
import { thoughtHandlers } from './thoughts.handlers.ts'

export const handlers = {
  ...systemHandlers,
  ...itemHandlers,
  ...agentHandlers,
  ...runHandlers,
  ...lessonHandlers,
  ...learningHandlers,
  ...orderHandlers,
  ...codeHandlers,
  ...orphanHandlers,
  ...conflictHandlers,
  ...lockHandlers,
  ...reviewHandlers,
  ...questionHandlers,
  ...costHandlers,
  ...restHandlers,
  ...modelCallHandlers,
  ...engineHandlers,
  ...notificationHandlers,
  ...metricsHandlers,
  ...ideaHandlers,
  ...categoryHandlers,
  ...thoughtHandlers,
  ...specificationHandlers,
  ...buildHandlers,
  ...roleHandlers,
} satisfies HandlersOf<typeof routes>
