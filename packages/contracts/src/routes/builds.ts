// Builds: specifications that become merged code, task by task.
import { z } from 'zod'
import { Build, BuildForecast, BuildView } from '../build.ts'
import { Slug } from '../idea.ts'
import { by, page, route } from '../route.ts'
import { TaskId } from '../specification.ts'

/** The idea whose newest build is meant, or the id of one. */
const buildPath = z.strictObject({ id: Slug })
const NO_BUILD = { 404: 'There is no such build' }
const CHANGED = { ...NO_BUILD, 409: 'It is in a state that does not allow this' }

export const buildRoutes = {
  listBuilds: route({
    method: 'GET',
    path: '/api/builds',
    key: 'crew',
    summary: 'Builds, the newest first',
    response: page(Build),
  }),
  showBuild: route({
    method: 'GET',
    path: '/api/builds/:id',
    key: 'crew',
    summary:
      'One build with its tasks: what waits for what, who works on which file, what failed and why, money and time',
    params: buildPath,
    problems: NO_BUILD,
    response: BuildView,
  }),
  forecastBuild: route({
    method: 'GET',
    path: '/api/builds/:id/forecast',
    key: 'crew',
    summary:
      'What the build of a specification is likely to cost and how long it takes, from the past of the crew',
    params: buildPath,
    problems: { 404: 'There is no such specification' },
    response: BuildForecast,
  }),
  stopBuild: route({
    method: 'POST',
    path: '/api/builds/:id/stop',
    key: 'owner',
    summary: 'Begin nothing new of it; what is at work comes to its end',
    params: buildPath,
    body: by,
    problems: CHANGED,
    response: BuildView,
  }),
  resumeBuild: route({
    method: 'POST',
    path: '/api/builds/:id/resume',
    key: 'owner',
    summary: 'Go on with a build that stopped or failed',
    params: buildPath,
    body: by.extend({
      leavesSkipped: z
        .boolean()
        .default(false)
        .describe(
          'Tasks that were skipped after their own attempts stay so, and count as no failure any more',
        ),
    }),
    problems: CHANGED,
    response: BuildView,
  }),
  retryTask: route({
    method: 'POST',
    path: '/api/builds/:id/retry',
    key: 'owner',
    summary: 'Have a task tried again, with those that were skipped because of it',
    params: buildPath,
    body: by.extend({ task: TaskId }),
    problems: CHANGED,
    response: BuildView,
  }),
} as const
