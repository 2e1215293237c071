// The item that the words of /project-create ask for. Pure.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import { NewItem } from '@treadle/contracts/item'
import { categoryLabel, SELF_GENERATED_LABEL } from '@treadle/contracts/words/category'
import { parseProjectCreate } from './project-create.ts'

export type ProjectItem =
  | { readonly is: 'item'; readonly item: NewItem; readonly category: Category }
  | { readonly is: 'unreadable'; readonly why: string }

/** A title without the category that it was given, so that titles of all categories can be compared. */
export function withoutCategory(title: string): string {
  const category = CATEGORIES.find((each) => title.startsWith(`${each}: `))
  return category === undefined ? title : title.slice(category.length + 2)
}

/** `hours` is what it is estimated to take; null: nobody has said. */
export function projectItem(text: string, hours: number | null): ProjectItem {
  const read = parseProjectCreate(text)
  if (read.is === 'unreadable') return read
  const { category, title, body, acceptance } = read
  const item = NewItem.safeParse({
    title: `${category}: ${title}`,
    body,
    labels: [SELF_GENERATED_LABEL, categoryLabel(category)],
    acceptance,
    estimateHours: hours,
    source: 'category',
  })
  if (item.success) return { is: 'item', item: item.data, category }
  const [issue] = item.error.issues
  return { is: 'unreadable', why: `${issue?.path.join('.') ?? 'it'}: ${issue?.message ?? 'cannot be read'}` }
}
