// The last look at a decision before it is made: who makes it, and whether it comes with the code that it wants.
import type { RouteName } from '@treadle/contracts/api'
import { AgentId } from '@treadle/contracts/ids'
import type { RestsOn } from '@treadle/contracts/item'
import { CREW_CALLER } from '@treadle/contracts/order'
import type { KeyName } from '@treadle/contracts/route'
import { wantsCode } from '@treadle/flow/review/confirm-code'
import type { World } from '../world.ts'
import type { RequestOf } from './handler.ts'
import { ProblemError } from './problem.ts'

type Parts<N extends RouteName> = Pick<RequestOf<N>, 'params' | 'body'>
type Words<N extends RouteName> = (request: Parts<N>) => string | null

/** What stops somebody is never held up by a code. */
const STOPPING: ReadonlySet<string> = new Set(['emergency_stop', 'stop_all', 'pause_all'])

/** What each decision does, in the words that stand beside its code; null: this one wants none. */
const DECISIONS = {
  approveItem: ({ params }) => `approve #${params.issueNumber}`,
  rejectItem: ({ params }) => `reject #${params.issueNumber}`,
  reopenItem: ({ params }) => `reopen #${params.issueNumber}`,
  revertItem: ({ params }) => `revert #${params.issueNumber}`,
  resolveConflict: ({ params }) => `merge conflict ${params.id} as it was resolved`,
  settleConflict: ({ params }) => `merge conflict ${params.id} as it was settled`,
  approveSpecification: ({ params }) => `approve the specification of ${params.id}`,
  giveOrder: ({ body }) => (STOPPING.has(body.order.is) ? null : body.order.is.replaceAll('_', ' ')),
  answerQuestion: ({ body }) => `answer: ${body.text.slice(0, 80)}`,
  guideRun: ({ body }) => (body.answers === null ? null : `answer: ${body.text.slice(0, 80)}`),
} satisfies { readonly [N in RouteName]?: Words<N> }

type DecisionName = keyof typeof DECISIONS

export function isDecision(name: RouteName): name is DecisionName {
  return Object.hasOwn(DECISIONS, name)
}

/** Lets a decision pass, and says what it rests on; throws if it wants a code and has none. */
export function admitDecision(world: World, name: RouteName, request: Parts<RouteName>): RestsOn {
  const isolation = world.isolation().is
  if (!isDecision(name) || !wantsCode(world.config().approval.confirm, isolation)) return isolation
  const words = DECISIONS[name] as Words<RouteName>
  const what = words(request)
  if (what === null) return isolation
  const { code = null, ...rest } = request.body as { code?: string | null }
  const answer = world.codes.check(JSON.stringify([name, request.params, rest]), what, code)
  if (answer.is === 'taken') return isolation === 'nothing' ? 'code' : isolation
  if (answer.is === 'locked')
    throw new ProblemError(409, {
      code: 'code_needed',
      message: `Too many wrong codes were given, so none is taken until ${answer.until}.`,
      hint: 'If that was not you, something on this machine has your key: see SECURITY.md.',
      details: { what, until: answer.until },
    })
  throw new ProblemError(409, {
    code: 'code_needed',
    message: `Not done: ${answer.why}.`,
    hint: 'The code is in the terminal of treadle up, and on the page that treadle open shows. Send it along: --code <six digits>',
    details: { what, expiresAt: answer.expiresAt },
  })
}

/** With the crew key nobody speaks in the name of a person, whatever name the request gives. */
export function inOwnName(key: KeyName, body: unknown): unknown {
  if (key === 'owner' || typeof body !== 'object' || body === null) return body
  return {
    ...body,
    ...('by' in body ? { by: CREW_CALLER } : {}),
    ...('discoveredBy' in body ? { discoveredBy: discoverer(body.discoveredBy) } : {}),
  }
}

/** Agents sign lessons with their ids, and the crew as a whole with its name. */
function discoverer(given: unknown): unknown {
  return given === 'treadle' || AgentId.safeParse(given).success ? given : CREW_CALLER
}
