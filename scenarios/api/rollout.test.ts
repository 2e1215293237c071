// What each stage of the rollout turns on, through a daemon that reads its settings anew.
import type { Config } from '@treadle/contracts/config'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { rolloutStage: 1 } as never })

const facts = ({ config: { agents, flags, merge } }: { readonly config: Config }) => ({
  agents: agents.maxConcurrent,
  categories: agents.enabledCategories.length,
  dailyUSD: agents.dailyBudgetUSD,
  several: flags.enable_multi_agent,
  approval: merge.approval,
  ideas: flags.enable_ideation,
  monitoring: flags.enable_advanced_monitoring,
})
const begun = { dailyUSD: 100, monitoring: false }

verifies(
  ['ORCH-S4-2', 'ORCH-S4-3', 'ORCH-S4-4', 'ORCH-S4-5', 'ORCH-S4-11'],
  'one setting says how far the crew is trusted, and what is said beside it counts',
  async (context) => {
    const daemon = await open(context)
    const at = async (stage: number, more: object = {}) => {
      daemon.workspace.setConfig({ rolloutStage: stage, ...more } as never)
      return eventually(`stage ${stage}`, async () => {
        const view = await daemon.client.workspace()
        return view.config.rolloutStage === stage ? facts(view) : undefined
      })
    }
    expect(await at(2)).toEqual({
      ...begun,
      approval: 'human',
      agents: 3,
      categories: 21,
      several: true,
      ideas: false,
    })
    expect(await at(1)).toEqual({
      ...begun,
      approval: 'human',
      agents: 1,
      categories: 21,
      several: false,
      ideas: false,
    })
    expect(await at(3)).toEqual({
      ...begun,
      approval: 'reviewer',
      agents: 5,
      categories: 21,
      several: true,
      ideas: false,
    })
    expect((await daemon.client.listCategories()).items).toHaveLength(21)
    // The loop begins with five categories, and has all of them in the end.
    expect(await at(4)).toEqual({
      ...begun,
      approval: 'reviewer',
      agents: 10,
      categories: 5,
      several: true,
      ideas: true,
    })
    const { items } = await daemon.client.listCategories()
    expect(items.filter(({ off }) => off?.why !== 'disabled')).toHaveLength(5)
    expect(await at(5)).toEqual({
      approval: 'reviewer',
      agents: 10,
      categories: 21,
      dailyUSD: 50,
      several: true,
      ideas: true,
      monitoring: true,
    })
    expect(await at(4, { flags: { enable_ideation: false }, agents: { maxConcurrent: 2 } })).toMatchObject({
      agents: 2,
      ideas: false,
    })
    expect(await at(5, { merge: { approval: 'human' } })).toMatchObject({ approval: 'human', ideas: true })
  },
)
