// How a route is written down, and the pieces that several routes share.
import { z } from 'zod'
import { AgentId, Positive } from './ids.ts'
import { CallerName, ConfirmCode, OWNER } from './order.ts'

export type Method = 'GET' | 'POST'
/** The two keys: the crew's reads and reports, the owner's decides as well. */
export type KeyName = 'crew' | 'owner'
export interface Route {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodType
  readonly response: z.ZodType
  /** Status of success. */
  readonly status: 200 | 201 | 202
  /** Other statuses it answers with, and when. */
  readonly problems: Readonly<Record<number, string>>
  /** The key it wants, said by every route: what nobody has decided about is not served. The owner's opens all. */
  readonly key: KeyName | 'none'
  /** Decides for the owner what nobody else may: where no sandbox keeps the key from the crew, with a code. */
  readonly decides: boolean
}

export const nothing = z.strictObject({})
export const page = <T extends z.ZodType>(of: T) => z.strictObject({ items: z.array(of) })

type Defaults = {
  params: typeof nothing
  query: typeof nothing
  body: typeof nothing
  status: 200
  problems: Record<never, never>
  decides: false
}
export function route<
  const R extends Partial<Route> & Pick<Route, 'method' | 'path' | 'key' | 'summary' | 'response'>,
>(given: R): Omit<Defaults, keyof R> & R {
  return {
    params: nothing,
    query: nothing,
    body: nothing,
    status: 200,
    problems: {},
    decides: false,
    ...given,
  } as never
}

export const inPath = z.coerce.number().pipe(Positive)
export const itemPath = z.strictObject({ projectNumber: inPath, issueNumber: inPath })
/** How long the daemon may hold the answer back until there is something to say. */
export const waitMs = z.coerce.number().int().min(0).max(60_000).default(0)
export const agentPath = z.strictObject({ id: AgentId })
/** Who asks; the command line says the name of the user who runs it. With the crew key, whatever it says is an agent's. */
export const by = z.strictObject({ by: CallerName.default(OWNER) })
/** The same of a decision, with the code if one is wanted. */
export const decision = by.extend({ code: ConfirmCode.optional() })
export const NO_ITEM = { 404: 'There is no such item' }
export const MOVED = { ...NO_ITEM, 409: 'The item is in a state that does not allow this' }
