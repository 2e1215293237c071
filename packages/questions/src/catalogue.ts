// What each agent asks and when, read from agents/<agent>/questions.yaml beside this file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Duration, NewQuestion, QuestionOption, QuestionType } from '@treadle/contracts/question'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Condition, factsOfCondition, parseCondition } from './condition.ts'
import { factsOfTemplate } from './render.ts'

const Template = z.strictObject({
  type: QuestionType,
  text: z.string().min(1),
  context: z.string().default(''),
  options: z.array(QuestionOption).default([]),
  allowFreeText: z.boolean().default(false),
  default: z.string().min(1).optional(),
  blocking: z.boolean().optional(),
  expiresAfter: Duration.optional(),
  reminderAfter: Duration.optional(),
  /** One answer holds whatever the facts are, so it may be remembered for the next time. */
  general: z.boolean().default(false),
  tags: z.array(z.string().min(1)).min(1),
})
export type Template = z.infer<typeof Template>

const EventName = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be in lower case with underscores')

const File = z.strictObject({
  triggers: z
    .array(
      z.strictObject({
        event: EventName,
        phase: z.string().min(1).optional(),
        condition: z.string().min(1).optional(),
        questions: z.array(Template).min(1),
      }),
    )
    .min(1),
})

/** One entry of the catalogue: at this event, in this phase, if this holds, these are asked. */
export type Declared = {
  agent: string
  event: string
  phase: string | null
  condition: Condition | null
  questions: Template[]
}

/** The catalogue itself is wrong; the message names the file and the place. */
class BadCatalogue extends Error {
  constructor(file: string, why: string) {
    super(`${file}: ${why}`)
    this.name = 'BadCatalogue'
  }
}

// From source this is src/agents, from a build it is dist/agents: the build copies the folder.
const FOLDER = fileURLToPath(new URL('./agents/', import.meta.url))

let loaded: Declared[] | undefined

/** Read once; it does not change while a process runs. */
export function catalogue(): readonly Declared[] {
  loaded ??= loadCatalogue(FOLDER)
  return loaded
}

export function loadCatalogue(folder: string): Declared[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((agent) => {
      const file = `${agent}/questions.yaml`
      return parseTriggers(agent, file, readFileSync(join(folder, file), 'utf8'))
    })
}

function parseTriggers(agent: string, file: string, text: string): Declared[] {
  const read = File.safeParse(asYaml(file, text))
  if (!read.success) throw new BadCatalogue(file, z.prettifyError(read.error))
  const keys = new Set<string>()
  return read.data.triggers.map(({ event, phase, condition, questions }) => {
    const key = [event, phase].join(' ')
    if (keys.has(key)) throw new BadCatalogue(file, `${event} is declared twice`)
    keys.add(key)
    for (const template of questions) checkTemplate({ agent, event, file }, template)
    return {
      agent,
      event,
      phase: phase ?? null,
      condition: condition === undefined ? null : parseIn(file, condition),
      questions,
    }
  })
}

function asYaml(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new BadCatalogue(file, error instanceof Error ? error.message : String(error))
  }
}

function parseIn(file: string, condition: string): Condition {
  try {
    return parseCondition(condition)
  } catch (error) {
    throw new BadCatalogue(file, error instanceof Error ? error.message : String(error))
  }
}

/** What the contract refuses is refused here already; a default that is yet to be filled in passes as a label. */
function checkTemplate(from: { agent: string; event: string; file: string }, template: Template): void {
  const { general: _general, default: given, ...rest } = template
  const filledLater = given !== undefined && factsOfTemplate(given).length > 0
  const defaultOption = filledLater ? rest.options[0]?.label : given
  const checked = NewQuestion.safeParse({
    ...rest,
    agent: from.agent,
    event: from.event,
    ...(defaultOption === undefined ? {} : { defaultOption }),
  })
  if (!checked.success) throw new BadCatalogue(from.file, `${from.event}: ${z.prettifyError(checked.error)}`)
}

/** Every fact an entry needs, so that whoever triggers it knows what to hand in. */
export function factsNeeded({ condition, questions }: Declared): string[] {
  const templates = questions.flatMap(({ text, context, options, default: given }) => [
    text,
    context,
    ...options.flatMap(({ label, description = '', implications = '' }) => [
      label,
      description,
      implications,
    ]),
    given ?? '',
  ])
  const names = [...(condition ? factsOfCondition(condition) : []), ...templates.flatMap(factsOfTemplate)]
  return [...new Set(names)]
}
