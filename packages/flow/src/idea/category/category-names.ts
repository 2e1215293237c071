// The names of the 21 categories as people read and write them.

import type { Category } from '@treadle/contracts/categories'
import { CATEGORIES } from '@treadle/contracts/categories'

/** `Front End Improvements`, `Accessibility (a11y)` and `monitoring & observability` are categories; null: it is none. */
export function categoryNamed(text: string): Category | null {
  const name = text
    .slice(0, 100)
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\band\b/g, ' ')
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
  return CATEGORIES.find((category) => category === name) ?? null
}
