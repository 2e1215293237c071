import { expect, test } from 'vitest'
import { judgeAgent, judgeFigure, median, VERDICTS } from './compare.model.ts'
import { FIGURES } from './figures.model.ts'
import { agentMetrics } from './metrics-samples.ts'

test.each([
  [[3], 3],
  [[1, 9, 2], 2],
  [[1, 2, 3, 10], 2.5],
  [[], 0],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test.each([
  { value: 5, peers: [5], better: 'more', is: 'unclear' },
  { value: 5, peers: [5, 5, 5], better: 'more', is: 'same' },
  { value: 10, peers: [10, 5, 5], better: 'more', is: 'better' },
  { value: 10, peers: [10, 5, 5], better: 'less', is: 'worse' },
  { value: 1, peers: [1, 5, 5], better: 'more', is: 'worse' },
  { value: 1, peers: [1, 5, 5], better: 'less', is: 'better' },
  { value: 109, peers: [109, 100, 90], better: 'more', is: 'same' },
  { value: 111, peers: [111, 100, 90], better: 'more', is: 'better' },
  { value: 89, peers: [111, 100, 89], better: 'less', is: 'better' },
  { value: 0, peers: [0, 0, 3], better: 'less', is: 'same' },
  { value: 3, peers: [0, 0, 3], better: 'less', is: 'worse' },
  { value: 2, peers: [2, 8], better: 'less', is: 'better' },
] as const)('$value among $peers, where $better is better, is $is', ({ is, ...facts }) => {
  expect(judgeFigure(facts)).toBe(is)
})

const figure = (wanted: string) => {
  const found = FIGURES.find(({ id }) => id === wanted)
  if (!found) throw new Error(`no figure ${wanted}`)
  return found
}
const done = (inPeriod: number) => ({ total: inPeriod, last24h: 0, last7d: 0, inPeriod })

test('who has done too little is neither judged nor counted in the median', () => {
  const quick = agentMetrics({ agentId: 'agent-1', tasksCompleted: done(4), averageCycleMs: 10_000 })
  const slow = agentMetrics({ agentId: 'agent-2', tasksCompleted: done(2), averageCycleMs: 30_000 })
  const lucky = agentMetrics({ agentId: 'agent-3', tasksCompleted: done(1), averageCycleMs: 1 })
  const idle = agentMetrics({ agentId: 'agent-4' })
  const crew = [quick, slow, lucky, idle]
  const verdicts = (id: string) => crew.map((agent) => judgeAgent(figure(id), agent, crew))
  expect(verdicts('cycle')).toEqual(['better', 'worse', 'unclear', 'unclear'])
  expect(verdicts('completed')).toEqual(['better', 'better', 'worse', 'worse'])
  expect(verdicts('cost')).toEqual([null, null, null, null])
})

test('a reviewer is not compared with those who build', () => {
  const builder = agentMetrics({ tasksCompleted: done(2), averageCycleMs: 10_000 })
  const reviewer = agentMetrics({
    agentId: 'review-agent',
    role: 'review',
    tasksCompleted: done(9),
    averageCycleMs: 1,
  })
  const crew = [builder, reviewer]
  expect(crew.map((agent) => judgeAgent(figure('cycle'), agent, crew))).toEqual(['unclear', 'unclear'])
})

test('each verdict has words of its own beside its colour', () => {
  expect(new Set(Object.values(VERDICTS).map(({ words }) => words)).size).toBe(4)
})
