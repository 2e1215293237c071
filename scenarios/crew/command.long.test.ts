// A crew whose engine is a program of the user's: told what to do by /project-start, heard through its response file.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '@treadle/contracts/order'
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin } from '@treadle/requirements/within'
import { expect } from 'vitest'
import { addOrigin } from '../kit/origin.ts'
import {
  addRepair,
  eventsOf,
  itemNumber,
  moduleOf,
  moduleText,
  told,
  until,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const PROGRAM = `number=\${TREADLE_COMMAND#/project-start }
[ -e ../../../../home/began-$number ] || touch ../../../../home/began-$number
file=$(printf 'src/module-%02d.txt' "$number")
sed 's/wrong/right/' "$file" > "$file.new" && mv "$file.new" "$file"
session="\${TREADLE_RESPONSE_FILE%.response.md}.session"
status=$(grep -o '"status": *"[a-z]*"' "$session" | grep -o '[a-z]*"$' | tr -d '"')
echo "$TREADLE_COMMAND while $status" >> ../../../../home/commands
cat > "$TREADLE_RESPONSE_FILE" <<'END'
Repaired.
Treadle-usage: {"model":"claude-sonnet-4-5","inputTokens":1000,"outputTokens":100,"usd":0.3}
Treadle: done
END
`
const settings = (dailyBudgetUSD: number) =>
  ({
    agents: { dailyBudgetUSD },
    merge: { approval: 'never', target: 'main' },
    tests: { command: 'sh test.sh' },
    engines: { default: 'command', command: { run: 'sh agent.sh' } },
    limits: { pollMs: 100, sweepMs: 300, assumedCallUSD: 0.3 },
  }) as const

verifies(
  ['ORCH-S3-3', 'AC-2.2.a', 'AC-2.2.b'],
  'items are claimed, /project-start is run, code is pushed, items are done, and the budget stops the crew',
  async () => {
    const files = { 'agent.sh': PROGRAM }
    const workspace = shop({ scripts: [[], [], [], []], settings: settings(0.7), files })
    const atOrigin = addOrigin(workspace)
    const daemon = await up(workspace, 2)
    for (const n of [1, 2, 3, 4]) await addRepair(daemon, n)
    // The order is written down with what came of it, so after the stop itself.
    const stop = async () =>
      (await told<AuditEntry[]>(workspace, 'audit')).find(({ by }) => by === 'system:budget')
    await eventually('the stop by the budget', stop, 120_000)
    const agents = (await daemon.client.listAgents()).items
    expect(agents.map(({ pid }) => pid)).toEqual([null, null])
    const { items } = await daemon.client.listItems()
    expect(items.filter(({ state }) => state === 'done').length).toBeLessThan(4)
    expect(items.filter(({ claimedByAgentId }) => claimedByAgentId !== null)).toEqual([])

    workspace.setConfig(settings(50))
    for (const n of [1, 2, 3, 4]) {
      await until(daemon, n, 'done')
      const { branch, headCommit, claimedByAgentId } = await itemNumber(daemon, n)
      expect(claimedByAgentId).toBeNull()
      expect(atOrigin(branch ?? 'none')).toBe(headCommit)
      expect(workspace.git('show', `${headCommit}:${moduleOf(n)}`)).toBe(moduleText(n, 'right').trim())
    }
    const commands = readFileSync(join(workspace.home, 'commands'), 'utf8').trim().split('\n')
    for (const n of [1, 2, 3, 4]) expect(commands).toContain(`/project-start ${n} while working`)
    expect(commands.filter((line) => !line.endsWith('while working'))).toEqual([])
    await expectWithin(30_000, async (triesBefore) => {
      const n = triesBefore + 1
      const claimed = (await eventsOf(daemon, n)).find(({ event }) => event.type === 'claim.taken')
      return statSync(join(workspace.home, `began-${n}`)).mtimeMs - Date.parse(claimed?.at ?? '')
    })
  },
)
