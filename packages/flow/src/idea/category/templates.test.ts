import { builtInTemplate } from '@treadle/context/category-template'
import { CATEGORIES } from '@treadle/contracts/categories'
import { expect, test } from 'vitest'
import { fillTemplate } from './fill-template.ts'
import { parseIdea } from './parse-idea.ts'

const facts = {
  name: 'shop',
  owner: 'acme',
  repo: 'shop',
  commits: ['cart: round prices down'],
  languages: [{ name: 'TypeScript', share: 1 }],
  frameworks: ['React'],
  packages: null,
  issues: ['Add dark mode'],
  issueCount: 1,
}

test.each([...CATEGORIES])(
  'the prompt of %s is filled, and repeated by a model it is no idea',
  (category) => {
    const text = fillTemplate(builtInTemplate(category), facts)
    for (const said of ['acme/shop', 'cart: round prices down', 'Add dark mode', 'TypeScript (100 %), React'])
      expect(text).toContain(said)
    expect(text).not.toMatch(/\{\w+\}/)
    expect(parseIdea(text)).toMatchObject({
      is: 'unreadable',
      why: expect.stringContaining('repeats the form'),
    })
  },
)
