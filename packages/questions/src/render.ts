// Puts facts into a template. What is put in is text: it is never read again for placeholders, and what would
// move a terminal's cursor is taken out by the contract.
import { type Fact, type Facts, factAt, isList, MissingFact } from './facts.ts'

const VALUE_MAX = 1_500
const LIST_MAX = 20
const LIST_LINE_MAX = 190

const PLACEHOLDER = /\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\}/g

export function render(template: string, facts: Facts): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => words(factAt(facts, name.split('.')), name))
}

/** The facts a template names, in their order. */
export function factsOfTemplate(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name))]
}

function words(fact: Fact, name: string): string {
  if (typeof fact === 'string') return cut(fact, VALUE_MAX)
  if (typeof fact === 'boolean') return fact ? 'yes' : 'no'
  if (typeof fact === 'number') return figure(fact, name)
  if (isList(fact)) return list(fact)
  if (!Object.hasOwn(fact, 'text')) throw new MissingFact(`${name}.text`)
  return words(factAt(fact, ['text']), `${name}.text`)
}

function figure(value: number, name: string): string {
  if (!Number.isFinite(value)) throw new MissingFact(name)
  return String(Math.round(value * 100) / 100)
}

function list(lines: readonly string[]): string {
  if (lines.length === 0) return '- none'
  const shown = lines
    .slice(0, LIST_MAX)
    .map((line) => `- ${cut(String(line).replace(/\s+/g, ' '), LIST_LINE_MAX)}`)
  const more = lines.length - LIST_MAX
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text
}
