// What is built: made workloads of 200 tasks on 60 files, and the file sets of real commits.
import { readFileSync } from 'node:fs'
import { randomFrom } from '@treadle/memory/trial/draw'
import { z } from 'zod'
import type { Workload } from './simulate.ts'

const TASKS = 200
const FILES = 60

const History = z.strictObject({
  repository: z.string(),
  head: z.string(),
  commits: z.array(z.array(z.int().min(0)).min(1)),
})

export function workloads(): Workload[] {
  const history = History.parse(JSON.parse(readFileSync(new URL('fastify.json', import.meta.url), 'utf8')))
  return [
    { name: 'one file each, any of 60', tasks: made(1, (random) => Math.floor(random() * FILES)) },
    { name: 'one file each, a few of them hot', tasks: made(2, hot) },
    { name: 'up to three files, a few of them hot', tasks: made(3, hot, 3) },
    { name: `${history.commits.length} commits of ${history.repository}`, tasks: history.commits },
  ]
}

/** The n-th file is wanted so often as n is small, as in repositories where everything is listed somewhere. */
function hot(random: () => number): number {
  return Math.floor(FILES ** random()) - 1
}

function made(seed: number, draw: (random: () => number) => number, filesMax = 1): number[][] {
  const random = randomFrom(seed)
  return Array.from({ length: TASKS }, () => {
    const files = Array.from({ length: 1 + Math.floor(random() * filesMax) }, () => draw(random))
    return [...new Set(files)]
  })
}
