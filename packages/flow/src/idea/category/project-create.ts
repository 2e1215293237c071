// An idea as the text of /project-create, and that text read back, also as a person would write it.

import type { Category } from '@treadle/contracts/categories'
import { CATEGORIES } from '@treadle/contracts/categories'
import { CATEGORY_IDEA_MAX, type CategoryIdea, visibleLine } from '@treadle/contracts/category-idea'
import { categoryNamed } from './category-names.ts'
import { criteriaIn, isCriterionLine } from './criteria-list.ts'
import { type IdeaLabel, type IdeaPart, isMarkedLine, labelIn } from './idea-labels.ts'
import { fenceIn, type IdeaLine, ideaLines } from './idea-lines.ts'

export type ProjectRead =
  | {
      readonly is: 'project'
      readonly category: Category
      readonly title: string
      /** The description and the approach. */
      readonly body: string
      readonly acceptance: readonly string[]
    }
  /** `why` says what to write instead. */
  | { readonly is: 'unreadable'; readonly why: string }

const FORM = '/project-create <category>: <title>.'
const TEXT_CHARS_MAX = 65_536
const SECTIONS: readonly IdeaPart[] = ['criteria', 'approach']
const BOX = /^(\s{0,40}(?:[-*+]|\d{1,4}[.)])\s{1,4})\[[ xX]\]\s{1,4}/
const NAMED = /(?<![\w.-])(AC-\d{1,6}(?:\.\d{1,6})?\.[a-z][*_`]{0,4}):/gi

export function projectCreateText(category: Category, idea: CategoryIdea): string {
  const { title, description, acceptanceCriteria, technicalApproach } = idea
  return [
    `/project-create ${category}: ${title}`,
    plainProse(description),
    ['Acceptance Criteria:', ...acceptanceCriteria.map((criterion) => `- [ ] ${criterion}`)].join('\n'),
    `Technical Approach:\n${plainProse(technicalApproach)}`,
  ].join('\n\n')
}

export function parseProjectCreate(text: string): ProjectRead {
  if (text.length > TEXT_CHARS_MAX)
    return { is: 'unreadable', why: `The text has more than ${TEXT_CHARS_MAX} characters; write less.` }
  const [first, ...lines] = ideaLines(text.trim())
  const head = /^\/project-create(?![\w-])(.*)$/i.exec(first?.text ?? '')?.[1]
  if (head === undefined) return { is: 'unreadable', why: `It does not begin with ${FORM}` }
  const colon = head.indexOf(':')
  const named = head.slice(0, Math.max(0, colon)).trim()
  const title = visibleLine(head.slice(colon + 1))
  const category = categoryNamed(named)
  if (category === null) return { is: 'unreadable', why: noCategory(named) }
  if (title === '') return { is: 'unreadable', why: `The title is missing: ${FORM}` }
  if (title.length > CATEGORY_IDEA_MAX.title)
    return { is: 'unreadable', why: `The title has more than ${CATEGORY_IDEA_MAX.title} characters.` }
  return { is: 'project', category, title, ...partsIn(lines) }
}

function noCategory(named: string): string {
  const what =
    named === '' ? 'The category is missing' : `${JSON.stringify(named.slice(0, 100))} is no category`
  return `${what}: ${FORM} The categories: ${CATEGORIES.join(', ')}.`
}

/** Whatever is neither a criterion nor one of the two labels stays in the body. */
function partsIn(lines: readonly IdeaLine[]): { body: string; acceptance: readonly string[] } {
  const prose: string[] = []
  const criteria: IdeaLine[] = []
  const seen = new Set<IdeaPart>()
  let isCriteria = false
  for (const line of lines) {
    const label = newLabel(line, seen)
    if (label !== null) {
      isCriteria = label.part === 'criteria'
      if (!isCriteria) prose.push('## Technical Approach', '')
      if (label.rest !== '') prose.push(label.rest)
      continue
    }
    isCriteria &&= !isMarkedLine(line.text)
    if (isCriteria && isCriterionLine(line)) criteria.push(line)
    else prose.push(line.text)
  }
  return { body: prose.join('\n').trim(), acceptance: criteriaIn(criteria) }
}

/** Only the first label of its kind counts. */
function newLabel({ text, isCode }: IdeaLine, seen: Set<IdeaPart>): IdeaLabel | null {
  const label = isCode ? null : labelIn(text)
  if (label === null || !SECTIONS.includes(label.part) || seen.has(label.part)) return null
  seen.add(label.part)
  return label
}

// ── Writing ─────────────────────────────────────────────────────────────────────────────────────

/** A criterion is what the list of criteria says: nothing in the prose is taken for one, nor for the list itself. */
function plainProse(text: string): string {
  const lines = ideaLines(text).map(({ text: line, isCode }) => {
    if (isCode) return line
    if (fenceIn(line) !== null) return `\\${line.trimStart()}`
    const label = labelIn(line)
    if (label !== null && SECTIONS.includes(label.part)) return `> ${line}`
    return line.replace(BOX, '$1').replace(NAMED, '$1 –')
  })
  return lines.join('\n')
}
