// From something that happened to the questions it raises.
import { createHash } from 'node:crypto'
import { blocksByDefault, NewQuestion } from '@treadle/contracts/question'
import { z } from 'zod'
import { catalogue, type Declared, type Template } from './catalogue.ts'
import { conditionHolds } from './condition-holds.ts'
import type { Facts } from './facts.ts'
import { render } from './render.ts'

export type Trigger = { agent: string; event: string; phase?: string; facts: Facts }

/** The catalogue has the event, but its question cannot be made of what was handed in; the message says why. */
class BadTrigger extends Error {
  constructor({ agent, event }: Trigger, why: string, cause?: unknown) {
    super(`${agent}/${event}: ${why}`, { cause })
    this.name = 'BadTrigger'
  }
}

/** Nothing where the condition does not hold or the phase is another one. */
export function questionsFor(trigger: Trigger, from: readonly Declared[] = catalogue()): NewQuestion[] {
  const known = from.filter(({ agent, event }) => agent === trigger.agent && event === trigger.event)
  if (known.length === 0) throw new BadTrigger(trigger, 'the catalogue has no such event')
  try {
    return known
      .filter(({ phase }) => phase === null || phase === trigger.phase)
      .filter(({ condition }) => condition === null || conditionHolds(condition, trigger.facts))
      .flatMap((declared) =>
        declared.questions.map((template, index) => fill(trigger, template, keyOf(declared, index))),
      )
  } catch (error) {
    if (error instanceof z.ZodError) throw new BadTrigger(trigger, z.prettifyError(error), error)
    throw error instanceof Error ? new BadTrigger(trigger, error.message, error) : error
  }
}

function keyOf({ agent, event, phase }: Declared, index: number): string {
  return `${[agent, event, ...(phase === null ? [] : [phase])].join('/')}#${index + 1}`
}

function fill({ agent, event, phase, facts }: Trigger, template: Template, key: string): NewQuestion {
  const { general, default: given, blocking, options, tags, ...rest } = template
  const text = render(template.text, facts)
  return NewQuestion.parse({
    ...rest,
    agent,
    event,
    phase: phase ?? '',
    text,
    context: render(template.context, facts),
    options: options.map((option) => ({
      ...option,
      label: render(option.label, facts),
      ...(option.description === undefined ? {} : { description: render(option.description, facts) }),
      ...(option.implications === undefined ? {} : { implications: render(option.implications, facts) }),
    })),
    ...(given === undefined ? {} : { defaultOption: render(given, facts) }),
    blocking: blocking ?? blocksByDefault(template.type),
    template: key,
    tags: general ? tags : [...tags, `facts:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`],
  })
}
