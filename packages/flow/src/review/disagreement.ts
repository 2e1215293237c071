// What a person is told after the last rejection: what the reviewer found each time, and what the builder says it did.
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'

export interface DisagreementFacts {
  readonly item: Pick<Item, 'number' | 'title'>
  /** Rejected deliveries, oldest first. */
  readonly reviews: readonly Pick<
    Review,
    'cycle' | 'runId' | 'completedByAgentId' | 'feedback' | 'decidedBy'
  >[]
  readonly runs: readonly Pick<Run, 'id' | 'history'>[]
}

const VIEW_MAX = 2_000

/** Tagged, so that whoever filters comments finds it. */
export function disagreementText({ item, reviews, runs }: DisagreementFacts): string {
  const times = reviews.length === 1 ? 'once' : `${reviews.length} times`
  return [
    `@review-escalation #${item.number} ${item.title} was rejected ${times}. A person has to decide.`,
    '## What the reviewer says',
    ...reviews.map(
      ({ cycle, decidedBy, feedback }) =>
        `### Delivery ${cycle}, by ${decidedBy ?? 'a reviewer'}\n\n${quoted(feedback)}`,
    ),
    '## What the builder says',
    ...reviews.map(({ cycle, runId, completedByAgentId }) => {
      const run = runs.find(({ id }) => id === runId)
      return `### Delivery ${cycle}, by ${completedByAgentId}\n\n${builderView(run)}`
    }),
    `Look at it and decide: take it as it is (treadle approve ${item.number}), reopen it (treadle reopen ${item.number}), or withdraw it (treadle withdraw ${item.number}).`,
  ].join('\n\n')
}

/** In the words of whoever wrote the code, and of the files that it changed. */
function builderView(run: Pick<Run, 'history'> | undefined): string {
  const worked = (run?.history ?? []).filter(({ phase }) => phase === 'build' || phase === 'improve')
  const said = worked.map(({ phase, summary, changes, fixes }) => {
    const words = fixes.map((fix) => fix.said).filter((line) => line !== '')
    const files = changes.length === 0 ? 'nothing' : changes.join(', ')
    return `- ${phase}: ${[...new Set([summary, ...words])].filter(Boolean).join(' ') || 'no words'} (changed ${files})`
  })
  return said.length === 0 ? 'It left no words.' : clipped(said.join('\n'))
}

function quoted(text: string | null): string {
  return clipped(text ?? 'no words').replace(/^/gm, '> ')
}

function clipped(text: string): string {
  return text.length > VIEW_MAX ? `${text.slice(0, VIEW_MAX - 1)}…` : text
}
