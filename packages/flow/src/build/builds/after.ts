// An item of a build has come to an end, or needs somebody: the build is looked at.
import { isQueued } from '../../flow.ts'
import { isStuck } from '../../work/build-items.ts'
import { type Consequence, effect } from '../../work/consequence.ts'

export const afterBuildItem: Consequence = {
  after({ before, after }) {
    if (after.build === null || before.state === after.state) return []
    const isOver = after.state === 'done' || after.state === 'withdrawn'
    const isBack = isQueued(after.state) && (before.state === 'withdrawn' || isStuck(before))
    return isOver || isBack || isStuck(after) ? [effect('jobs', 'send', 'build', { build: after.build })] : []
  },
}
