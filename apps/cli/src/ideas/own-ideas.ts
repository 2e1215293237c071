// Improvements that the crew thought of itself, as a list.
import type { Client } from '@treadle/contracts/client'
import { CATEGORY_LABEL, SELF_GENERATED_LABEL } from '@treadle/contracts/words/category'
import { timeAgo } from '@treadle/contracts/words/time'
import { paint, print, printJson } from '../output.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'

const ALL_MAX = 5_000

export async function listOwnIdeas(client: Client, options: { readonly json?: boolean }): Promise<void> {
  const { items } = await client.listItems({ query: { label: SELF_GENERATED_LABEL, limit: ALL_MAX } })
  const ideas = items
    .toReversed()
    .map(({ projectNumber, number, title, state, labels, createdAt, estimateHours }) => ({
      projectNumber,
      number,
      category:
        labels.find((label) => label.startsWith(CATEGORY_LABEL))?.slice(CATEGORY_LABEL.length) ?? null,
      title,
      state,
      estimateHours,
      createdAt,
    }))
  if (options.json) return printJson(ideas)
  if (ideas.length === 0) return print('The crew has thought of nothing itself yet. See: treadle categories')
  const rows = ideas.map(({ number, category, state, title, createdAt }) => [
    `#${number}`,
    category ?? '–',
    state,
    plainText(title),
    paint('dim', timeAgo(createdAt, Date.now())),
  ])
  print(
    listing(['ITEM', 'CATEGORY', 'STATE', 'TITLE', 'MADE'], rows, {
      drop: ['MADE', 'STATE', 'TITLE'],
      whole: ['ITEM'],
    }),
  )
}
