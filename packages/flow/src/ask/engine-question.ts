// A question that an engine asks while it works, in the shape in which every question is kept.
import { type AgentId, type ItemRef, itemLabel, type RunId } from '@treadle/contracts/ids'
import type { Question } from '@treadle/contracts/paor'
import { AgentQuestion, LABEL_MAX, NewQuestion, TEXT_MAX } from '@treadle/contracts/question'

const OPTIONS_MAX = 20

export interface AskedBy {
  readonly item: ItemRef
  readonly runId: RunId
  readonly agentId: AgentId
  readonly phase: string | null
}

/** Null: it holds nobody up and is not well formed. Whoever waits is always to be seen. */
export function mirrorOf(question: Question, by: AskedBy): NewQuestion | null {
  const { detail } = question
  const from = headOf(question, by)
  if (detail !== undefined) {
    const { choices, ...more } = detail
    const read = NewQuestion.safeParse({ ...from, ...more, options: choices })
    if (read.success) return read.data
    if (!detail.blocking) return null
  }
  const labels = labelsOf(question)
  const plain = {
    ...from,
    type: 'blocking',
    context: `${by.agentId} is at work on ${itemLabel(by.item)} and waits for the answer.${wish(question)}`,
    allowFreeText: true,
  }
  const offered = NewQuestion.safeParse({ ...plain, options: labels.map((label) => ({ label })) })
  return offered.success ? offered.data : NewQuestion.parse(plain)
}

function isReadable(title: string): boolean {
  return AgentQuestion.shape.text.safeParse(title.slice(0, TEXT_MAX)).success
}

function headOf({ id, kind, title }: Question, { item, runId, agentId, phase }: AskedBy) {
  return {
    agent: agentId,
    phase: phase ?? '',
    // Each thing that may or may not be done is a decision of its own.
    ...(kind === 'permission' || kind === 'form' ? { subject: `${kind}:${id}` } : {}),
    text: isReadable(title) ? title.slice(0, TEXT_MAX) : 'How should it go on?',
    ideaId: `${item.projectNumber}/${item.number}`,
    sessionId: runId,
    item,
    runId,
  }
}

function labelsOf({ options }: Question): string[] {
  const lines = options.map((label) => label.replace(/\s+/g, ' ').trim().slice(0, LABEL_MAX))
  return [...new Set(lines)].filter((label) => label !== '').slice(0, OPTIONS_MAX)
}

function wish({ tool, input }: Question): string {
  if (tool === undefined) return ''
  return ` It is about ${tool}${input === undefined ? '' : `: ${input.slice(0, 2_000)}`}`
}
