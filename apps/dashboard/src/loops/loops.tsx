// The loops at work: the machine of an item, the run inside it, and the loop inside the run.
import type { Client } from '@treadle/contracts/client'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { MachineName } from '@treadle/contracts/machine'
import { isGoal } from '@treadle/contracts/paor'
import { useId, useState, useSyncExternalStore } from 'react'
import type { LiveState, Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { goalStateIn, latestOf, statesOf } from './loops.model.ts'
import { Roles } from './roles.tsx'
import { MachineGraph } from './state-graph.tsx'
import './loops.css'

interface LoopsProps {
  readonly live: Live
  readonly state: LiveState
  readonly snapshot: Snapshot
  readonly item: ItemRef | null
}

const TITLES: Record<MachineName, string> = {
  item: 'The item',
  run: 'Its run',
  goal: 'The goal: plan, act, observe, reflect',
  agent: 'The agent that has it',
}

export function Loops({ live, state, snapshot, item: chosen }: LoopsProps) {
  const id = useId()
  const [all, setAll] = useState(false)
  const narrow = useNarrow()
  const { answer, problem } = useAnswer(live, askMachines, null)
  const item = latestOf(snapshot.items, chosen)
  const at = statesOf(item, snapshot.agents, item === null ? null : goalStateIn(state.events, item.runId))
  const shown = (answer?.items ?? []).filter(({ name }) => name !== 'goal' || (item !== null && isGoal(item)))
  return (
    <section aria-labelledby="loops">
      <div className="section-head">
        <h2 id="loops" tabIndex={-1}>
          Loops
        </h2>
        <ItemPicker items={snapshot.items} item={item} />
        <label className="toggle push" htmlFor={id}>
          <input id={id} type="checkbox" checked={all} onChange={() => setAll(!all)} /> Every move
        </label>
      </div>
      {item && <Counters item={item} snapshot={snapshot} />}
      <Problem text={problem} />
      {snapshot.items.length === 0 && (
        <p className="empty">No items yet. This is the way that each of them will take.</p>
      )}
      <div className="graphs">
        {shown.map((machine) => (
          <section key={machine.name} aria-labelledby={`graph-${machine.name}`}>
            <h3 id={`graph-${machine.name}`}>
              {TITLES[machine.name]}{' '}
              {at[machine.name] !== null && <span className="badge">{at[machine.name]}</span>}
            </h3>
            <MachineGraph
              machine={machine}
              title={TITLES[machine.name]}
              at={at[machine.name]}
              all={all}
              narrow={narrow}
            />
          </section>
        ))}
      </div>
      <Roles live={live} last={snapshot.at} />
    </section>
  )
}

function ItemPicker({ items, item }: { items: readonly Item[]; item: Item | null }) {
  const id = useId()
  if (item === null) return null
  const go = (value: string) => {
    const [projectNumber = 1, number = 1] = value.split('/').map(Number)
    location.hash = hrefOf({ is: 'loops', item: { projectNumber, number } })
  }
  return (
    <label htmlFor={id}>
      Item{' '}
      <select
        id={id}
        value={`${item.projectNumber}/${item.number}`}
        onChange={(event) => go(event.target.value)}
      >
        {optionsOf(items, item).map((each) => (
          <option key={`${each.projectNumber}/${each.number}`} value={`${each.projectNumber}/${each.number}`}>
            {itemLabel(each)} {each.title.slice(0, 60)}
          </option>
        ))}
      </select>
    </label>
  )
}

const OPTIONS_MAX = 200

/** Items to choose from: the newest are enough; any other is reached from its own screen. */
function optionsOf(items: readonly Item[], chosen: Item): readonly Item[] {
  const newest = items.slice(-OPTIONS_MAX)
  return newest.includes(chosen) ? newest : [chosen, ...newest]
}

function Counters({ item, snapshot }: { item: Item; snapshot: Snapshot }) {
  const { limits } = snapshot.workspace.config
  const ref = { projectNumber: item.projectNumber, number: item.number }
  return (
    <p className="facts counters">
      <a href={hrefOf({ is: 'item', item: ref })}>{itemLabel(item)}</a>
      <span>
        improvements {Math.max(0, item.attempts - 1)} of {limits.improvements}
      </span>
      <span>
        review rounds {item.reviewCycles} of {limits.reviewCycles}
      </span>
    </p>
  )
}

/** The machines change only with the version of the daemon. */
const askMachines = (client: Client) => client.machines()

const NARROW = matchMedia('(max-width: 900px)')

function useNarrow(): boolean {
  return useSyncExternalStore(
    (tell) => {
      NARROW.addEventListener('change', tell)
      return () => NARROW.removeEventListener('change', tell)
    },
    () => NARROW.matches,
  )
}
