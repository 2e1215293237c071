import type { Answer } from '@treadle/contracts/client'
import { type Order, PHASE_FLAGS } from '@treadle/contracts/order'
import type { orderRoutes } from '@treadle/contracts/routes/orders'
import { judgeConfirm, needsConfirm } from '@treadle/flow/supervise/orders/confirm'
import { impactOf, type KeyedImpact, type OrderFacts } from '@treadle/flow/supervise/orders/impact'
import { audited, type GivenOrder, readAudit, recordFailure, recordOrder } from '../orders/audit.ts'
import { Confirmations } from '../orders/confirmations.ts'
import { factsFor } from '../orders/facts.ts'
import { give, unchangeable } from '../orders/give.ts'
import { findKept, listKept } from '../orders/kept-work.ts'
import { readChangeable } from '../orders/rollback.ts'
import type { World } from '../world.ts'
import { type HandlersOf, perDaemon } from './handler.ts'
import { ProblemError } from './problem.ts'

const confirmationsOf = perDaemon(() => new Confirmations())

export const orderHandlers = {
  async previewOrder(world, { body }) {
    const { weighed } = await impactFor(world, body.order)
    return ask(world, body.order, weighed)
  },

  async giveOrder(world, { body, caller }) {
    const { order, by } = body
    const { weighed, facts } = await impactFor(world, order)
    const choice = judgeConfirm({
      needed: needsConfirm(order),
      order: JSON.stringify(order),
      impact: weighed.key,
      ticket: confirmationsOf(world).take(body.confirm),
      now: world.now().getTime(),
    })
    if (choice.is === 'ask') throw confirmNeeded(choice.why, ask(world, order, weighed))
    const { impact } = weighed
    const id = world.uuid()
    const { restsOn } = caller
    const entry = { id, order: order.is, by, target: targetOf(order), impact: impact.text, restsOn }
    await noteBegun(world, order, entry, facts)
    try {
      const done = await give(world, order, { by, facts, id, impact: impact.text })
      const outcome = [done.outcome, ...done.failed].join('; ')
      if (done.recordedAs === undefined) await recordOrder(world, { ...entry, outcome, items: done.items })
      const { outcome: words, failed } = done
      return { id: done.recordedAs ?? id, order: order.is, by, impact, outcome: words, failed: [...failed] }
    } catch (error) {
      await recordFailure(world, entry, error)
      throw error
    }
  },

  async audit(world, { query }) {
    return { items: await readAudit(world, query) }
  },

  async listKept(world, { query }) {
    return { items: await listKept(world, query) }
  },

  async restoreKept(world, { body }) {
    const { what, by, worktree = null } = body
    const found = await findKept(world, what)
    if (found === null) throw nothingKept(what)
    const branch = body.branch ?? `undelete/${nameFor(found.ref)}`
    const given = { order: 'undelete', by, target: found.ref, impact: `a new branch ${branch}` } as const
    const act = async () => {
      const done = await world.kept.restore(found.ref, { branch, worktree })
      switch (done.is) {
        case 'restored':
          return done
        case 'missing':
          throw nothingKept(what)
        case 'branch_exists':
          throw inTheWay(`There is a branch ${branch} already.`, 'Give another name: --branch <name>')
        case 'taken':
          throw inTheWay(`${done.at} is not empty.`, 'Name a folder that does not exist yet.')
      }
    }
    const done = await audited(world, given, act, ({ commit }) => `${branch} is at ${commit}`)
    return { ref: found.ref, commit: done.commit, branch, worktree: done.worktree, item: found.item }
  },
} satisfies HandlersOf<typeof orderRoutes>

/** What destroys something is written down first, so that a daemon that dies over it leaves a trace and an undo. */
async function noteBegun(
  world: World,
  order: Order,
  entry: GivenOrder & { id: string },
  facts: OrderFacts,
): Promise<void> {
  // The emergency stop does this by itself, and waits for no database.
  if (!needsConfirm(order) || order.is === 'emergency_stop') return
  const items = order.is === 'purge' ? [...facts.queued] : undefined
  await recordOrder(world, { ...entry, outcome: 'begun', begun: world.workspace.id, items })
}

/** What can be known to be impossible is said before anybody is asked to confirm it. */
async function impactFor(world: World, order: Order): Promise<{ weighed: KeyedImpact; facts: OrderFacts }> {
  const facts = await factsFor(world, order)
  const agent = agentIn(order)
  if (agent !== null && !facts.agents.some(({ id }) => id === agent))
    throw missing(`There is no ${agent}.`, 'treadle agent list shows the crew.')
  if (order.is === 'reassign' && facts.item === null)
    throw missing(`There is no item #${order.item.number}.`, 'treadle list shows what there is.')
  if (order.is === 'reassign' && facts.item !== null && !MAY_MOVE.has(facts.item.state))
    throw new ProblemError(409, {
      code: 'refused',
      message: `#${order.item.number} is ${facts.item.state}; only what is queued or being worked on changes hands.`,
      hint: `See where it stands: treadle show ${order.item.number}`,
      details: { state: facts.item.state },
    })
  if (order.is === 'rollback') {
    const file = readChangeable(world.paths.config)
    if (file.is === 'no') throw unchangeable(file.why, PHASE_FLAGS[order.phase])
  }
  return { weighed: impactOf(order, facts), facts }
}

function ask(world: World, order: Order, { impact, key }: KeyedImpact): Answer<'previewOrder'> {
  if (!needsConfirm(order)) return { impact, confirm: null, expiresAt: null }
  const { uuid, now } = world
  const confirm = uuid()
  const shown = { order: JSON.stringify(order), impact: key }
  const expiresAt = confirmationsOf(world).issue(confirm, shown, now().getTime()).toISOString()
  return { impact, confirm, expiresAt }
}

const MAY_MOVE = new Set(['todo', 'backlog', 'rework', 'claimed', 'building', 'verifying', 'improving'])

function agentIn(order: Order): string | null {
  if (order.is === 'reset') return order.agentId
  return order.is === 'reassign' ? order.to : null
}

function targetOf(order: Order): string | null {
  switch (order.is) {
    case 'reassign':
      return `#${order.item.number}${order.to === null ? '' : ` to ${order.to}`}`
    case 'reset':
      return order.agentId
    case 'rollback':
      return `phase ${order.phase}`
    case 'undo_purge':
      return order.purge
    default:
      return null
  }
}

/** The last two parts of the reference: enough to tell it from others, short enough to type. */
function nameFor(ref: string): string {
  const [run = '', name = ''] = ref.split('/').slice(-2)
  return `${run.slice(0, 13)}-${name.slice(0, 40)}`
}

function confirmNeeded(why: string, asked: Answer<'previewOrder'>): ProblemError {
  const { brief, ...named } = asked.impact
  const impact = brief === undefined ? named : { ...named, brief }
  return new ProblemError(409, {
    code: 'confirm_needed',
    message: `${asked.impact.text}. Not done: ${why}.`,
    hint: 'Send it again with confirm; treadle commands ask, or take --yes.',
    details: { ...asked, impact },
  })
}

function missing(message: string, hint: string): ProblemError {
  return new ProblemError(404, { code: 'not_found', message, hint })
}

function nothingKept(what: string): ProblemError {
  return missing(`Nothing is kept under ${what}.`, 'treadle undelete lists what there is.')
}

function inTheWay(message: string, hint: string): ProblemError {
  return new ProblemError(409, { code: 'refused', message, hint })
}
