// The texts that engines are told, kept as Markdown in prompts/, with what is known put in.
import { readFileSync } from 'node:fs'

export type PromptName =
  | 'build'
  | 'build-task'
  | 'idea'
  | 'idea-complete'
  | 'idea-exploring'
  | 'idea-guidelines'
  | 'idea-narrowing'
  | 'idea-refining'
  | 'idea-signals'
  | 'idea-validating'
  | 'plan'
  | 'questions'
  | 'reflect'
  | 'review'
  | 'review-answer'
  | 'review-template'
  | 'spec'
  | 'spec-again'
  | 'spec-answer'

/** A value of null takes the whole line away that names it; a name without a value stays as it is written. */
export type PromptValues = Readonly<Record<string, string | null>>

const NAME = /\{(\w+)\}/g

/** The text of prompts/<name>.md, read once. */
export function promptText(name: PromptName, values: PromptValues = {}): string {
  return fillPrompt(promptFile(name), values)
}

/** In one pass, so that nothing that is put in is taken for another name. */
export function fillPrompt(template: string, values: PromptValues): string {
  const isLeftOut = (line: string) =>
    Array.from(line.matchAll(NAME)).some(([, name]) => lookUp(name) === null)
  const lookUp = (name = '') => (Object.hasOwn(values, name) ? values[name] : undefined)
  return template
    .split('\n')
    .filter((line) => !isLeftOut(line))
    .map((line) => line.replace(NAME, (found, name: string) => lookUp(name) ?? found))
    .join('\n')
}

const files = new Map<PromptName, string>()

function promptFile(name: PromptName): string {
  const known = files.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), 'utf8').trimEnd()
  files.set(name, text)
  return text
}
