// The gates in front of a delivery commit: each of them alone is enough to keep it back.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { LoopState } from '@treadle/contracts/loop-state'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { run } from '../kit/command.ts'
import { moduleOf, repair, type Step, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

interface Fixed {
  readonly outcome: string
  readonly commit: string
  readonly reason: string
  readonly gates: readonly GateResult[]
  readonly loop: LoopState
}

async function fix(workspace: Workspace): Promise<Fixed> {
  const ended = await run(workspace, ['fix', '--json'])
  return JSON.parse(ended.stdout) as Fixed
}

const LINT = "grep -rn 'TODO' src && exit 1\nexit 0\n"
const COVER = `mkdir -p coverage
p=$(cat percent.txt)
echo '{"total":{"lines":{"total":100,"covered":'$p',"skipped":0,"pct":'$p'}}}' > coverage/coverage-summary.json
`
const files = { 'lint.sh': LINT, 'cover.sh': COVER, 'percent.txt': '50\n', '.gitignore': 'coverage/\n' }
const covered = (percent: number): Step => ({ write: { file: 'percent.txt', text: `${percent}\n` } })
const gates = {
  linterCommand: 'sh lint.sh',
  coverage: { threshold: 80, command: 'sh cover.sh', report: 'coverage/coverage-summary.json' },
}

verifies(
  ['META-GATE-5', 'META-GATE-8', 'META-GATE-9', 'META-GATE-11', 'META-COMMIT-1', 'AGENT-BUILD-34'],
  'no commit while one gate is red, and one commit when all of them are green',
  async () => {
    const todo: Step = { edit: { file: moduleOf(1), find: 'module 1', replace: 'module 1 TODO' } }
    const clean: Step = { edit: { file: moduleOf(1), find: 'module 1 TODO', replace: 'module 1' } }
    const workspace = shop({
      scripts: [[[repair(1), todo, covered(90)], [clean, covered(79)], [covered(80)]]],
      files,
      settings: { gates },
    })
    const fixed = await fix(workspace)
    expect(fixed.outcome).toBe('fixed')
    const tested = fixed.loop.history.filter(({ phase }) => phase === 'test')
    expect(tested.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'passed'])
    expect(tested[0]?.summary).toMatch(/^lint: 1 failed, first: linter: .*exit code 1/)
    expect(tested[1]?.summary).toMatch(/^coverage: .*79/)
    expect(fixed.gates.map(({ gate, is }) => `${gate} ${is}`)).toEqual([
      'tests_pass passed',
      'linter_pass passed',
      'coverage_pass passed',
      'secrets passed',
      'test_integrity passed',
      'capabilities passed',
    ])
    expect(workspace.git('log', '--all', '--grep=Kind: delivery', '--format=%H').split('\n')).toEqual([
      fixed.commit,
    ])

    const never = shop({
      scripts: [[[repair(1), todo, covered(90)]]],
      files,
      settings: { gates, limits: { improvements: 1 } },
    })
    const refused = await fix(never)
    expect(refused.outcome).toBe('not_fixed')
    expect(refused.reason).toMatch(/^lint: /)
    expect(never.git('log', '--all', '--grep=Kind: delivery', '--format=%H')).toBe('')
  },
)

verifies(
  'LOOP-FLAW-8',
  'a regression found at the end goes on in the same loop, with its counters',
  async () => {
    const breaks: Step = { edit: { file: moduleOf(2), find: 'right', replace: 'wrong' } }
    const mends: Step = { edit: { file: moduleOf(2), find: 'wrong', replace: 'right' } }
    const workspace = shop({ scripts: [[[repair(1), breaks], [mends]], [[]]], right: [2] })
    const fixed = await fix(workspace)
    expect(fixed.outcome).toBe('fixed')
    expect(fixed.loop.iteration).toBe(1)
    expect(fixed.loop.history.map(({ phase, outcome }) => `${phase} ${outcome}`)).toEqual([
      'build done',
      'test failed',
      'improve done',
      'test passed',
      'commit committed',
    ])
    const kept = join(workspace.paths.fixes, `${fixed.loop.session_id}.json`)
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({
      run: { iteration: 1 },
      item: { attempts: 2 },
    })
  },
)
