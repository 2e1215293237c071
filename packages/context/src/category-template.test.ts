import { readdirSync } from 'node:fs'
import { CATEGORIES } from '@treadle/contracts/categories'
import { expect, test } from 'vitest'
import { builtInTemplate } from './category-template.ts'

const PLACEHOLDERS = [
  '{repository_name}',
  '{owner}/{repo}',
  '{last_10_commits}',
  '{existing_issue_count}',
  '{existing_issues}',
  '{detected_languages_and_frameworks}',
]
const ASKED = [
  'ONE specific, valuable',
  'a single agent',
  '< 8 hours',
  'Review existing issues to avoid duplicates',
  'Verify technical feasibility',
  'dependencies, APIs',
  '3-5 clear, testable acceptance criteria',
  'current architecture and patterns',
  'NO_IDEA_AVAILABLE',
  'high-impact, low-risk',
]
const FORM = [
  /^\*\*Title:\*\* \[/m,
  /^\*\*Description:\*\* \[2-3 sentence/m,
  /^\*\*Acceptance Criteria:\*\*\n- AC-1\.a: \[.*\n- AC-1\.b: \[.*\n- AC-1\.c: \[/m,
  /^\*\*Technical Approach:\*\* \[/m,
  /^\*\*Estimated Effort:\*\* \[.*hours/m,
]
/** Parts that each category fills with guidance of its own. */
const GUIDANCE = ['What is valuable here', 'Where to look', 'What not to propose', 'How a program checks it']

test('there is one prompt for each category, and no other', () => {
  const folder = new URL('./prompts/categories/', import.meta.url)
  expect(readdirSync(folder).sort()).toEqual(CATEGORIES.map((category) => `${category}.md`).sort())
})

test.each([...CATEGORIES])('the prompt of %s names its facts, its rules and its form', (category) => {
  const text = builtInTemplate(category)
  for (const part of [...PLACEHOLDERS, ...ASKED]) expect(text).toContain(part)
  for (const part of FORM) expect(text).toMatch(part)
  const placeholders = text.match(/\{\w+\}/g) ?? []
  expect(new Set(placeholders).size).toBe(7)
  expect(placeholders).toHaveLength(7)
  expect(Buffer.byteLength(text)).toBeLessThan(8 * 1024)
})

test('no two categories have a line of guidance in common', () => {
  const lines = CATEGORIES.flatMap((category) => {
    const text = builtInTemplate(category)
    const own = GUIDANCE.flatMap((part) => {
      const found =
        new RegExp(`\\*\\*${part}:\\*\\*\n((?:- .*\n)+)`).exec(text)?.[1]?.trimEnd().split('\n') ?? []
      expect(found.length, `${category}: ${part}`).toBeGreaterThanOrEqual(3)
      return found
    })
    return own.filter((line) => !/if the repository has no/.test(line))
  })
  expect(new Set(lines).size).toBe(lines.length)
})

test.each(['../idea', 'a/b', '', 'Security'])('%j is no category', (name) => {
  expect(() => builtInTemplate(name)).toThrow('no category')
})
