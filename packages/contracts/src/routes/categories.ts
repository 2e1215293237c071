// Categories in which the crew looks for improvements, and what people think of what it found.
import { z } from 'zod'
import { Category } from '../categories.ts'
import { CategoryView, NextCategory, SelfGenerated, ValueScore } from '../category.ts'
import { AgentId, Instant, Positive } from '../ids.ts'
import { Item } from '../item.ts'
import { by, itemPath, MOVED, NO_ITEM, page, route } from '../route.ts'

const categoryPath = z.strictObject({ name: Category })

export const categoryRoutes = {
  listCategories: route({
    method: 'GET',
    path: '/api/categories',
    key: 'crew',
    summary: 'The 21 categories: which are looked at, when each was last, and what each has brought',
    response: page(CategoryView),
  }),
  nextCategory: route({
    method: 'GET',
    path: '/api/categories/next',
    key: 'crew',
    summary: 'The category that is looked at next: the one that was looked at longest ago',
    response: NextCategory,
  }),
  markCategoryUsed: route({
    method: 'POST',
    path: '/api/categories/:name/mark-used',
    key: 'crew',
    summary: 'Say that a category is looked at now, so that it comes last',
    params: categoryPath,
    response: CategoryView,
  }),
  exhaustCategory: route({
    method: 'POST',
    path: '/api/categories/:name/exhausted',
    key: 'owner',
    summary: 'Leave a category alone until a moment; null: look at it again at once',
    params: categoryPath,
    body: by.extend({ until: Instant.nullable() }),
    response: CategoryView,
  }),
  createProject: route({
    method: 'POST',
    path: '/api/commands/project-create',
    key: 'crew',
    summary: 'An item out of the words of /project-create: category, title, description, criteria, approach',
    body: by.extend({ text: z.string().min(1).max(65_536), ideatedByAgentId: AgentId.optional() }),
    problems: { 400: 'The text cannot be read as /project-create' },
    response: Item,
    status: 201,
  }),
  recordSelfGenerated: route({
    method: 'POST',
    path: '/api/projects/self-generated',
    key: 'crew',
    summary: 'Say of an item that an agent has thought of it, in which category; once said it stays so',
    body: z.strictObject({
      /** The number of the item. */
      projectNumber: Positive,
      category: Category,
      ideatedByAgentId: AgentId,
      createdAt: Instant,
    }),
    problems: NO_ITEM,
    response: SelfGenerated,
    status: 201,
  }),
  scoreValue: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/value-score',
    key: 'owner',
    summary: 'Say how much a merged change was worth, from 0 to 10; the last word counts',
    params: itemPath,
    body: by.extend({ value: ValueScore }),
    problems: MOVED,
    response: Item,
  }),
} as const
