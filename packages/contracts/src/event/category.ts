// What is told of looks for improvements: what was found, what was not taken, and when there is nothing to look at.
import { z } from 'zod'
import { Category } from '../categories.ts'
import { IdeationOutcome } from '../category.ts'
import { Instant } from '../ids.ts'
import { CATEGORY_TITLES } from '../words/category.ts'
import { event, firstLine, line, type Sentences, why } from './shape.ts'

/** Facts that move no item. */
const facts = [
  /** Of the item that was made of it. */
  event('idea.generated', { category: Category, title: z.string().max(300) }),
  event('idea.rejected', { category: Category, outcome: IdeationOutcome, why }),
  event('category.exhausted', { category: Category, until: Instant, why }),
  /** Nobody looks any more until one of them comes back. */
  event('category.all_exhausted', { until: Instant.nullable(), why }),
  event('category.template_missing', { category: Category, why }),
  event('item.valued', { value: z.int().min(0).max(10), by: z.string().max(200) }),
] as const

const time = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

export const categoryEvents = {
  facts,
  sentences: {
    'idea.generated': ({ category, title }, { agent }) =>
      line(`${agent} generated new idea: ${firstLine(title)}`, CATEGORY_TITLES[category], 'good'),
    'idea.rejected': ({ category, why }) =>
      line(`The answer about ${CATEGORY_TITLES[category]} was not taken`, why),
    'category.exhausted': ({ category, until, why }) =>
      line(`${CATEGORY_TITLES[category]} is left alone until ${time(until)}`, why),
    'category.all_exhausted': ({ until, why }) =>
      line(
        until === null
          ? 'There is no category to look at'
          : `There is no category to look at until ${time(until)}`,
        why,
        'attention',
      ),
    'category.template_missing': ({ category, why }) =>
      line(`${CATEGORY_TITLES[category]} is skipped`, why, 'attention'),
    'item.valued': ({ value, by }, { item }) => line(`${by} gave ${item} ${value} of 10 points`),
  } satisfies Sentences<(typeof facts)[number]>,
}
