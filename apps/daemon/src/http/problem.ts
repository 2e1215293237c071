// Every error leaves the daemon in one shape, with a code and what to do; never with a stack.
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common'
import type { Problem } from '@treadle/contracts/problem'
import { Fault } from '@treadle/flow/fault'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { Refusal } from '../refusal.ts'

export class ProblemError extends Error {
  readonly status: number
  readonly problem: Problem['error']
  constructor(status: number, problem: Problem['error']) {
    super(problem.message)
    this.status = status
    this.problem = problem
  }
}

type Shaped = { readonly status: number; readonly problem: Problem['error'] }

const BY_STATUS: Readonly<Record<number, Problem['error']>> = {
  400: {
    code: 'bad_request',
    message: 'The request is not well-formed.',
    hint: 'Send JSON; the routes are described at /docs.',
  },
  404: { code: 'not_found', message: 'There is no such route.', hint: 'The routes are described at /docs.' },
  405: {
    code: 'method_not_allowed',
    message: 'This route does not take that method.',
    hint: 'The routes are described at /docs.',
  },
  408: {
    code: 'bad_request',
    message: 'The request did not arrive in time.',
    hint: 'Send it again in one go.',
  },
  413: {
    code: 'too_large',
    message: 'The body is larger than this daemon takes.',
    hint: 'Send less; the limit is limits.bodyBytes in treadle.json.',
  },
  414: { code: 'too_large', message: 'The address is too long.', hint: 'The routes are described at /docs.' },
  415: {
    code: 'unsupported_media_type',
    message: 'The body is not JSON.',
    hint: 'Send content-type: application/json.',
  },
  431: {
    code: 'too_large',
    message: 'The address and the headers are too long.',
    hint: 'Send what is long in the body.',
  },
}

export function shapeProblem(thrown: unknown): Shaped {
  if (thrown instanceof ProblemError) return thrown
  if (thrown instanceof Refusal)
    return { status: 409, problem: { code: 'refused', message: thrown.message, hint: thrown.hint } }
  if (thrown instanceof HttpException) return shapeStatus(thrown.getStatus())
  if (thrown instanceof Fault) {
    return {
      status: 503,
      problem: {
        code: 'store_unavailable',
        message: thrown.message,
        hint: thrown.hint ?? 'Try again; if it stays, see: treadle doctor',
      },
    }
  }
  if (isDataException(thrown)) return UNSTORABLE
  return shapeStatus((thrown as { statusCode?: unknown }).statusCode)
}

const UNSTORABLE: Shaped = {
  status: 400,
  problem: {
    code: 'bad_request',
    message: 'A value of the request cannot be stored: a number is too large, or a text has a zero byte.',
    hint: 'Correct the request; the routes are described at /docs.',
  },
}

/** SQLSTATE class 22: the value passed the contracts and yet no column holds it. */
function isDataException(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && /^22\w{3}$/.test(String(thrown.code))
}

function shapeStatus(status: unknown): Shaped {
  const known = typeof status === 'number' ? BY_STATUS[status] : undefined
  if (typeof status === 'number' && known !== undefined) return { status, problem: known }
  return {
    status: 500,
    problem: {
      code: 'internal',
      message: 'The daemon failed at this.',
      hint: 'See .treadle/logs/daemon.log',
    },
  }
}

/** Shapes an error for whoever asked, and writes down what the owner should see. */
export function answerProblem(thrown: unknown, log: Logger): Shaped {
  const shaped = shapeProblem(thrown)
  if (shaped.status >= 500) log.error({ err: thrown }, 'request failed')
  if (isDataException(thrown)) log.warn({ err: thrown }, 'request not storable')
  return shaped
}

export class ProblemFilter implements ExceptionFilter {
  readonly log: Logger
  constructor(log: Logger) {
    this.log = log
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const { status, problem } = answerProblem(thrown, this.log)
    void host.switchToHttp().getResponse<FastifyReply>().status(status).send({ error: problem })
  }
}

Catch()(ProblemFilter)
