import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { fillContext } from './fill.ts'
import { type Ask, openLoader, type Source } from './loader.ts'
import { MEMORY_MESSAGES, type PlannedAgent, planFor, type SourceOf } from './plans.ts'

/** Sources that note each reading. */
function noting<S extends string>(names: readonly S[]) {
  const calls: { source: S; ask: Ask }[] = []
  let readings = 0
  const entries = names.map((source) => {
    const read: Source = async (ask) => {
      calls.push({ source, ask })
      readings += 1
      return `${source} ${readings}`
    }
    return [source, read]
  })
  const sources = Object.fromEntries(entries) as Record<S, Source>
  return { sources, read: () => calls.splice(0).map(({ source }) => source), calls }
}

function openFor<A extends PlannedAgent>(agent: A) {
  const plan = planFor(agent)
  const noted = noting<SourceOf<A>>(plan.loads.map(({ source }) => source))
  return { plan, ...noted, loader: openLoader(plan, noted.sources) }
}

verifies(
  'AGENT-CONTEXT-1',
  'ideation is LAZY: the session at once, the rest when its time comes',
  async () => {
    const { plan, loader, read, calls } = openFor('ideation')
    expect(plan.strategy).toBe('LAZY')
    expect((await loader.reach('start')).map(({ origin }) => origin)).toEqual(['session_state'])
    expect(read()).toEqual(['session_state'])
    expect(await loader.ask('idea_artifacts')).toMatchObject({ is: 'refused' })
    expect(read()).toEqual([])
    const memory = await loader.ask('memory')
    expect(memory).toMatchObject({ is: 'loaded', part: { name: 'recent_memory' } })
    expect(calls).toEqual([{ source: 'memory', ask: { about: null, last: MEMORY_MESSAGES } }])
    expect(read()).toEqual(['memory'])
    await loader.reach('candidate')
    expect(read()).toEqual(['idea_artifacts'])
    const found = await loader.ask('web_results', 'shared carts')
    expect(found).toMatchObject({ part: { trust: 'untrusted', origin: 'web_results: shared carts' } })
    expect(read()).toEqual(['web_results'])
  },
)

verifies('AGENT-CONTEXT-2', 'specification is EAGER: everything upfront', async () => {
  const { plan, loader, read } = openFor('specification')
  expect(plan.strategy).toBe('EAGER')
  const parts = await loader.reach('start')
  expect(read()).toEqual(['idea_documents', 'gotchas', 'codebase_patterns'])
  expect(parts.map(({ text }) => text)).toEqual(['idea_documents 1', 'gotchas 2', 'codebase_patterns 3'])
  for (const moment of ['candidate', 'task'] as const) expect(await loader.reach(moment)).toEqual([])
  expect(read()).toEqual([])
})

verifies('AGENT-CONTEXT-3', 'the context of a specification is read once for one generation', async () => {
  const { loader, read } = openFor('specification')
  const [first, second] = await Promise.all([loader.reach('start'), loader.reach('start')])
  expect(second).toEqual(first)
  expect(await loader.reach('start')).toEqual(first)
  expect(read()).toHaveLength(3)
  loader.close()
  expect(await loader.reach('start')).not.toEqual(first)
  expect(read()).toHaveLength(3)
})

verifies('AGENT-CONTEXT-4', 'build is PHASED: prime, then per task, then what is referred to', async () => {
  const { plan, loader, read, calls } = openFor('build')
  expect(plan.strategy).toBe('PHASED')
  await loader.reach('start')
  expect(read()).toEqual(['spec', 'tasks', 'conventions'])
  await loader.reach('task', 'task 1')
  await loader.reach('task', 'task 2')
  expect(calls.map(({ ask }) => ask.about)).toEqual(['task 1', 'task 2'])
  expect(read()).toEqual(['task_gotchas', 'task_gotchas'])
  await loader.ask('referenced_files', 'src/cart.ts')
  expect(calls).toEqual([{ source: 'referenced_files', ask: { about: 'src/cart.ts', last: null } }])
  expect(await loader.ask('spec')).toMatchObject({ is: 'refused' })
})

verifies('AGENT-CONTEXT-5', 'the SIA is EAGER: history, diff, results and similar reviews', async () => {
  const { plan, loader, read } = openFor('sia')
  expect(plan.strategy).toBe('EAGER')
  await loader.reach('start')
  expect(read()).toEqual(['execution_history', 'git_diff', 'task_results', 'similar_reviews'])
})

test('without a cache a source is read each time', async () => {
  const { loader, read } = openFor('sia')
  await loader.reach('start')
  await loader.reach('start')
  expect(read()).toHaveLength(8)
})

test('a reading that failed is not kept', async () => {
  const { plan, sources, loader: _, read } = openFor('specification')
  let broken = true
  const gotchas: Source = (ask) => (broken ? Promise.reject(new Error('away')) : sources.gotchas(ask))
  const loader = openLoader(plan, { ...sources, gotchas })
  await expect(loader.reach('start')).rejects.toThrow('away')
  broken = false
  await loader.reach('start')
  expect(read()).toEqual(['idea_documents', 'codebase_patterns', 'gotchas'])
})

test('what a plan loads can be filled into a prompt as it is', async () => {
  const { loader } = openFor('build')
  const parts = [...(await loader.reach('task', 'task 1')), ...(await loader.reach('start'))]
  const filled = fillContext({ parts, budgetTokens: 10_000, count: (text) => text.length })
  expect(filled.segments.map(({ name }) => name)).toEqual(['task', 'task', 'gotchas', 'conventions'])
})
