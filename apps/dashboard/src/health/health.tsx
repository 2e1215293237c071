// The health screen: checks, agents, alerts and thresholds.
import type { CrewHealth } from '@treadle/contracts/agent'
import type { Client } from '@treadle/contracts/client'
import type { HealthCheck, HealthReport } from '@treadle/contracts/health'
import type { EngineCooldown } from '@treadle/contracts/routes/system'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ActionButton } from '../parts/actions.tsx'
import { statusWords } from '../parts/agents.model.ts'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { Problem } from '../parts/problem.tsx'
import { AlertLog, OpenAlerts } from './alert-log.tsx'
import { CHECK_WORDS, cooldownLine, HEALTH_TONES, noisy, thresholdsOf } from './alerts.model.ts'

/** Health is asked for this often while the screen is open. */
const POLL_MS = 10_000

const askHealth = async (client: Client) => {
  const [daemon, crew, report, { config, resting }] = await Promise.all([
    client.health(),
    client.crewHealth(),
    client.healthChecks(),
    client.workspace(),
  ])
  return { daemon, crew, report, config, resting }
}

export function HealthScreen({ live, last, now }: { live: Live; last: number; now: number }) {
  const [checked, setChecked] = useState(0)
  const { answer, problem } = useAnswer(live, askHealth, `${Math.floor(now / POLL_MS)} ${checked}`)
  return (
    <div className="left">
      <Problem text={problem} />
      <section aria-labelledby="health">
        <div className="section-head">
          <h2 id="health" tabIndex={-1}>
            Health
          </h2>
          {answer && (
            <p className="muted">
              {`${answer.crew.healthy} healthy, ${answer.crew.degraded} degraded, ${answer.crew.unresponsive} unresponsive`}
            </p>
          )}
          {answer?.report.off === null && (
            <ActionButton
              words="Check now"
              className="push"
              action={{
                key: 'check-now',
                done: 'All checks ran.',
                failed: 'It could not be checked.',
                work: async (client) => {
                  await client.runHealthChecks()
                  setChecked((times) => times + 1)
                },
              }}
            />
          )}
        </div>
        {answer && (
          <>
            <EngineCooldowns resting={answer.resting} now={now} />
            <Checks report={answer.report} now={now} />
            <AgentHealthTable crew={answer.crew} checks={answer.report.checks} now={now} />
            <p className="facts counters">
              <span>Treadle {answer.daemon.version}</span>
              <span>
                {answer.daemon.store.driver === 'embedded' ? 'embedded database' : 'PostgreSQL'}
                {answer.daemon.store.ok ? '' : ', unhealthy'}
              </span>
              <span>up for {duration(answer.daemon.uptimeMs)}</span>
            </p>
          </>
        )}
      </section>
      <OpenAlerts live={live} last={last} now={now} />
      <AlertLog live={live} last={last} now={now} />
      {answer && <Thresholds config={answer.config} noise={answer.report.noise} />}
    </div>
  )
}

function Checks({ report, now }: { report: HealthReport; now: number }) {
  const { off, checkedAt, everyMs, tookMs, checks, skipped } = report
  if (off !== null)
    return (
      <p className="empty">
        Nothing is checked: {off}. Set it to true in treadle.json and the checks begin again by themselves.
      </p>
    )
  if (checkedAt === null)
    return <p className="empty">The first check is made within {duration(everyMs)} of the start.</p>
  return (
    <>
      <p className="muted checked-when">
        Checked {timeAgo(checkedAt, now)}, in {duration(tookMs ?? 0)}, and every {duration(everyMs)}.
      </p>
      {skipped.map(({ check, why }) => (
        <p className="banner" data-tone="attention" role="alert" key={check}>
          <strong>{CHECK_WORDS[check]} could not be checked</strong> and was skipped: {why}
        </p>
      ))}
      <ul className="checks">
        {checks
          .filter(({ agentId }) => agentId === null)
          .map((check) => (
            <li className="card check" key={`${check.check} ${check.subject}`}>
              <div className="check-head">
                <h3>{nameOf(check)}</h3>
                <Badge health={check.health} />
              </div>
              <p className="muted">{check.text}</p>
            </li>
          ))}
      </ul>
    </>
  )
}

/** A check's name; of the two budgets, which one. */
function nameOf({ check, subject }: HealthCheck): string {
  return check === 'budget' ? `${subject.includes('daily') ? 'Daily' : 'Monthly'} budget` : CHECK_WORDS[check]
}

function Badge({ health, title }: { health: HealthCheck['health']; title?: string }) {
  return (
    <span className="badge" data-tone={HEALTH_TONES[health]} title={title}>
      {health}
    </span>
  )
}

interface AgentHealthProps {
  readonly crew: CrewHealth
  readonly checks: readonly HealthCheck[]
  readonly now: number
}

function AgentHealthTable({ crew, checks, now }: AgentHealthProps) {
  const columns: readonly TableColumn<CrewHealth['agents'][number]>[] = [
    { id: 'agent', head: 'Agent', isRowHead: true, cell: ({ agentId }) => agentId },
    { id: 'status', head: 'Status', cell: ({ status }) => statusWords(status) },
    { id: 'health', head: 'Health', cell: ({ health }) => <Badge health={health} /> },
    {
      id: 'errors',
      head: 'Errors',
      cell: ({ agentId }) => <OfAgent checks={checks} check="error_rate" agentId={agentId} />,
    },
    {
      id: 'progress',
      head: 'Progress',
      cell: ({ agentId }) => <OfAgent checks={checks} check="stuck" agentId={agentId} />,
    },
    {
      id: 'memory',
      head: 'Memory',
      cell: ({ memoryUsage }) => (memoryUsage === null ? '–' : `${Math.round(memoryUsage)} MB`),
    },
    {
      id: 'processor',
      head: 'Processor',
      cell: ({ cpuUsage }) => (cpuUsage === null ? '–' : `${Math.round(cpuUsage)} %`),
    },
    {
      id: 'sign',
      head: 'Last heartbeat',
      cell: ({ timestamp }) => (timestamp === null ? 'never' : timeAgo(timestamp, now)),
    },
  ]
  return (
    <DataTable
      label="Health of each agent"
      columns={columns}
      rows={crew.agents}
      keyOf={({ agentId }) => agentId}
      empty="No agent has sent a heartbeat yet."
    />
  )
}

interface OfAgentProps {
  readonly checks: readonly HealthCheck[]
  readonly check: HealthCheck['check']
  readonly agentId: string
}

function OfAgent({ checks, check, agentId }: OfAgentProps) {
  const found = checks.find((each) => each.check === check && each.agentId === agentId)
  return found === undefined ? '–' : <Badge health={found.health} title={found.text} />
}

/** Engines that nobody claims for at present, and when that ends. */
function EngineCooldowns({ resting, now }: { resting: readonly EngineCooldown[]; now: number }) {
  if (resting.length === 0) return null
  return (
    <ul className="facts">
      {resting.map((each) => (
        <li key={each.engine}>{cooldownLine(each, now)}</li>
      ))}
    </ul>
  )
}

type ThresholdsProps = {
  readonly config: Parameters<typeof thresholdsOf>[0]
  readonly noise: HealthReport['noise']
}

function Thresholds({ config, noise }: ThresholdsProps) {
  return (
    <section aria-labelledby="thresholds">
      <div className="section-head">
        <h2 id="thresholds">Thresholds</h2>
        <p className="muted">Set in treadle.json; changes apply at once</p>
      </div>
      {noisy(noise).map((words) => (
        <p className="banner" data-tone="busy" key={words}>
          {words}
        </p>
      ))}
      <dl className="card padded thresholds">
        {thresholdsOf(config).map(({ name, words, setting }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {words} <code>{setting}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
