// A month of a crew, as rows of the tables: items claimed, built, reviewed, paid for and merged, one after the other.
import { randomUUID } from 'node:crypto'
import type { TextRow } from '@treadle/store/driver/transfer'

export interface Plan {
  readonly agents: number
  readonly items: number
  readonly events: number
}

const MONTH_MS = 30 * 86_400_000
const COMMIT = 'c'.repeat(40)

interface Lived {
  readonly n: number
  readonly agentId: string
  readonly runId: string
  readonly from: string
  readonly built: string
  readonly done: string
}

export function* lifeOf({ agents, items, events }: Plan, now: Date): Generator<TextRow> {
  const at = (part: number) => new Date(now.getTime() - MONTH_MS * (1 - part)).toISOString()
  const lived = Array.from({ length: items }, (_, n): Lived => {
    const part = n / items
    const step = 0.4 / items
    return {
      n: n + 1,
      agentId: `agent-${(n % agents) + 1}`,
      runId: randomUUID(),
      from: at(part),
      built: at(part + step),
      done: at(part + 2 * step),
    }
  })
  yield { table: 'projects', row: { number: '1', last_item_number: String(items) } }
  for (const one of lived) yield itemRow(one, at(0))
  for (const one of lived) yield claimRow(one)
  for (const one of lived) yield runRow(one)
  let seq = 0
  for (const one of lived)
    for (const [type, when, payload] of happenings(one, Math.max(0, Math.floor(events / items) - 6))) {
      seq += 1
      yield eventRow({ seq, type, at: when, payload }, one)
    }
  yield { table: 'feed', row: { id: 'true', xid_base: '1' } }
  for (let n = 1; n <= agents; n += 1) yield agentRow(`agent-${n}`, at(0))
  for (const one of lived) yield costRow(one)
  for (const one of lived) yield reviewRow(one)
  for (const one of lived)
    yield {
      table: 'improvement_metrics',
      row: {
        run_id: one.runId,
        agent_id: one.agentId,
        metric: 'first_pass_success',
        value: String(one.n % 2),
        recorded_at: one.done,
      },
    }
}

/** What is recorded of one item; the rest of it are notes of its run, which no figure counts. */
function happenings(
  { n, from, built, done }: Lived,
  notes: number,
): [type: string, at: string, payload: object][] {
  return [
    ['claim.taken', from, {}],
    ['agent.status_changed', from, { from: 'idle', to: 'working' }],
    ...Array.from({ length: notes }, (): [string, string, object] => [
      'run.observed',
      from,
      { text: 'x'.repeat(200) },
    ]),
    [n % 10 === 0 ? 'verify.failed' : 'build.finished', built, {}],
    ['agent.status_changed', built, { from: 'working', to: 'idle' }],
    [n % 50 === 0 ? 'agent.crashed' : 'verify.passed', built, {}],
    ['merge.landed', done, {}],
  ]
}

function eventRow(
  { seq, type, at, payload }: { seq: number; type: string; at: string; payload: object },
  { n, agentId, runId }: Lived,
): TextRow {
  const row = {
    seq: String(seq),
    xid: '1',
    subject: `item 1/${n}`,
    event_id: `e${seq}`,
    type,
    project_number: '1',
    item_number: String(n),
    agent_id: agentId,
    run_id: runId,
    state: null,
    payload: JSON.stringify({ type, ...payload }),
    at,
  }
  return { table: 'events', row }
}

function itemRow({ n, runId, done }: Lived, at: string): TextRow {
  const row = {
    project_number: '1',
    number: String(n),
    title: `item ${n}`,
    body: 'what is to be done '.repeat(20),
    labels: n % 7 === 0 ? '["category:security"]' : '[]',
    priority: null,
    acceptance: '[]',
    test_command: null,
    state: 'done',
    needs_human: 'false',
    needs_rework: 'false',
    attempts: '1',
    review_cycles: '0',
    reminders: '0',
    fence: '1',
    run_id: runId,
    created_at: at,
    updated_at: done,
    may_change_tests: 'false',
  }
  return { table: 'items', row }
}

function claimRow({ n, agentId, runId, from }: Lived): TextRow {
  return {
    table: 'claims',
    row: {
      project_number: '1',
      item_number: String(n),
      fence: '1',
      agent_id: agentId,
      run_id: runId,
      claimed_at: from,
    },
  }
}

function runRow({ n, agentId, runId, from, built }: Lived): TextRow {
  const history = JSON.stringify(
    Array.from({ length: 4 }, () => ({ phase: 'build', summary: 'y'.repeat(500) })),
  )
  const row = {
    id: runId,
    kind: 'item',
    project_number: '1',
    item_number: String(n),
    agent_id: agentId,
    fence: '1',
    status: 'complete',
    iteration: '0',
    outcome: 'success',
    baseline: '[]',
    history,
    gates: '[]',
    usage: '[]',
    started_at: from,
    ended_at: built,
  }
  return { table: 'runs', row }
}

function agentRow(id: string, at: string): TextRow {
  const counts = { tasks_completed: '0', error_count: '0', restarts: '0' }
  return { table: 'agents', row: { id, status: 'idle', wanted: 'running', ...counts, created_at: at } }
}

function costRow({ n, agentId, runId, built }: Lived): TextRow {
  const row = {
    id: `cost-${n}`,
    agent_id: agentId,
    project_number: '1',
    item_number: String(n),
    run_id: runId,
    model: 'm',
    input_tokens: '1000',
    output_tokens: '100',
    micros: '250000',
    assumed: 'false',
    at: built,
  }
  return { table: 'cost_entries', row }
}

function reviewRow({ n, agentId, runId, built, done }: Lived): TextRow {
  const row = {
    id: String(n),
    project_number: '1',
    item_number: String(n),
    run_id: runId,
    cycle: '1',
    branch: 'b',
    head_commit: COMMIT,
    agent_id: agentId,
    completed_at: built,
    status: n % 5 === 0 ? 'rejected' : 'approved',
    fence: '1',
    criteria: '[]',
    checks: JSON.stringify([{ gate: 'tests_pass', output: 'z'.repeat(1_000) }]),
    decided_by: 'owner',
    decided_at: done,
  }
  return { table: 'reviews', row }
}
