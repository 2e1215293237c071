import { verifies } from '@treadle/requirements/verifies'
import { describe, expect } from 'vitest'
import { DRIVERS, newItem, newProject, useStore } from '../testing/both-drivers.ts'

const HEAD = 'a'.repeat(40)

describe.each(DRIVERS)('%s', (driver) => {
  const open = useStore(driver)

  verifies(
    'ORCH-5.3-1',
    'a conflict is kept with what it is about, and its status follows',
    async (context) => {
      const { conflicts, items } = await open(context)
      const at = new Date('2026-01-02T03:04:05.000Z')
      const { projectNumber, number } = await items.add(
        newItem({ projectNumber: newProject(), title: 'T' }),
        at,
      )
      const item = { projectNumber, number }
      const about = { item, branch: 'agent-1/project-1', head: HEAD, why: 'both' }
      await conflicts.open({ ...about, files: ['a.ts'] }, at)
      const [first] = await conflicts.list({ status: 'pending', limit: 10 })
      expect(first).toEqual({
        id: expect.any(Number),
        projectNumber,
        issueNumber: number,
        issueTitle: 'T',
        branchName: 'agent-1/project-1',
        headCommit: HEAD,
        conflictingFiles: ['a.ts'],
        status: 'pending',
        why: 'both',
        createdAt: at.toISOString(),
        resolvedAt: null,
        how: null,
      })
      expect(await conflicts.pending()).toBe(1)
      await conflicts.resolving(item)
      expect(await conflicts.find(first?.id ?? 0)).toMatchObject({ status: 'resolving' })
      expect(await conflicts.pending()).toBe(0)
      await conflicts.open({ ...about, files: ['a.ts', 'b\0.ts'] }, new Date())
      expect(await conflicts.list({ limit: 10 })).toMatchObject([
        {
          id: first?.id,
          status: 'pending',
          createdAt: at.toISOString(),
          conflictingFiles: ['a.ts', 'b\uFFFD.ts'],
        },
      ])
      const later = new Date('2026-01-02T04:00:00.000Z')
      await conflicts.close(item, 'merged', later)
      await conflicts.close(item, 'too late', new Date())
      expect(await conflicts.find(first?.id ?? 0)).toMatchObject({
        status: 'resolved',
        how: 'merged',
        resolvedAt: later.toISOString(),
      })
      await conflicts.open({ ...about, files: ['c.ts'] }, later)
      expect((await conflicts.list({ limit: 10 })).map(({ status }) => status)).toEqual([
        'pending',
        'resolved',
      ])
      expect(await conflicts.find(4_000_000)).toBeNull()
    },
  )
})
