import type { Specification } from '@treadle/contracts/specification'
import { describe, expect, test } from 'vitest'
import { DRIVERS, useStore } from '../testing/both-drivers.ts'

const AT = '2026-01-02T03:04:05.000Z'

function spec(slug: string, revision: number, more: Partial<Specification> = {}): Specification {
  const shares = { features: 1, criteria: 1, requirements: 1, tasks: 1, checks: 1 }
  return {
    slug,
    userSlug: 'ada',
    title: 'A\u0000 list',
    complexity: 'mvp',
    revision,
    status: 'generated',
    specPath: `users/ada/ideas/${slug}/build/spec.md`,
    tasksPath: `users/ada/ideas/${slug}/build/tasks.md`,
    requirements: [],
    criteria: [],
    newFiles: [],
    modifications: [],
    dataModels: [],
    tasks: [],
    validation: { ok: true, problems: [], missing: [], shares },
    requests: [],
    architecture: '',
    writtenBy: 'rules',
    beside: [],
    generatedAt: AT,
    approvedAt: null,
    approvedBy: null,
    ...more,
  }
}

const kept = (given: Specification) => ({
  spec: given,
  specText: '# Spec',
  tasksText: '# Tasks',
  generated: [],
  noted: ['not said'],
})

describe.each(DRIVERS)('%s', (driver) => {
  const open = useStore(driver)

  test('every revision is kept, the latest is found, and each is added once', async (context) => {
    const { specifications } = await open(context)
    expect(await specifications.find('revisions')).toBeNull()
    expect(await specifications.add(kept(spec('revisions', 1)))).toBe(true)
    expect(await specifications.add(kept(spec('revisions', 1)))).toBe(false)
    expect(await specifications.add(kept(spec('revisions', 2)))).toBe(true)
    expect(await specifications.find('revisions')).toEqual(
      kept(spec('revisions', 2, { title: 'A\uFFFD list' })),
    )
    expect((await specifications.revision('revisions', 1))?.spec.revision).toBe(1)
    expect(await specifications.revision('revisions', 3)).toBeNull()
    await specifications.update(
      spec('revisions', 2, { status: 'approved', approvedBy: 'ada', approvedAt: AT }),
    )
    const listed = (await specifications.list(100)).filter(({ slug }) => slug === 'revisions')
    expect(listed.map(({ revision, status }) => [revision, status])).toEqual([[2, 'approved']])
  })

  test('numbers of migrations are given once, whoever asks at the same moment', async (context) => {
    const store = await open(context)
    const ask = (name: string, feature: string, taken = 7) =>
      store.tx(() =>
        store.specifications.allocate({ folder: 'db', spec: name, feature, taken }, new Date(AT)),
      )
    const given = await Promise.all(
      ['a', 'b', 'c'].flatMap((name) => ['x', 'y'].map((feature) => ask(name, feature))),
    )
    expect([...given].sort((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 13])
    // The same feature keeps its number, and one that was built meanwhile is stepped over.
    expect(await ask('a', 'x')).toBe(given[0])
    expect(await ask('d', 'x', 20)).toBe(21)
  })
})
