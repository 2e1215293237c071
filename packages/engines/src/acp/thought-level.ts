// How hard a program is to think, over ACP: an option of the session that the protocol calls the level of thought.
import { type ClientConnection, methods } from '@agentclientprotocol/sdk/unstable'
import type { Effort } from '@treadle/contracts/item'
import { z } from 'zod'

const Value = z.looseObject({ value: z.string() })
const Group = z.looseObject({ options: z.array(Value) })
const Option = z.looseObject({
  id: z.string(),
  category: z.string().nullish(),
  options: z.array(z.union([Group, Value])).default([]),
})
const Opened = z.looseObject({ configOptions: z.array(z.unknown()).nullish() })

export interface ThoughtLevel {
  readonly configId: string
  readonly value: Effort
}

/** The option that says it, in what a program has answered when its session was opened; null: it offers none. */
export function thoughtLevelIn(opened: unknown, effort: Effort): ThoughtLevel | null {
  const read = Opened.safeParse(opened)
  const options = (read.data?.configOptions ?? []).flatMap((each) => Option.safeParse(each).data ?? [])
  const found = options.find(({ category }) => category === 'thought_level')
  const values = found?.options.flatMap((each) => Group.safeParse(each).data?.options ?? Value.parse(each))
  if (found === undefined || values?.some(({ value }) => value === effort) !== true) return null
  return { configId: found.id, value: effort }
}

export async function setThoughtLevel(
  { agent }: ClientConnection,
  sessionId: string,
  level: ThoughtLevel,
): Promise<void> {
  await agent.request(methods.agent.session.setConfigOption, { sessionId, ...level })
}
