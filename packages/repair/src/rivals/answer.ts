// The question that tells rivals apart, and the patch with its test that an answer picks.
import { unified } from '../edits/patch.ts'
import type { Confidence, Patch, RepairResult, RivalQuestion } from '../result.ts'
import type { Distinguishing } from './tell-apart.ts'

/** Of patches in the order in which they are offered. */
export function questionOf({ probe, answers }: Distinguishing, testText: string): RivalQuestion {
  const { path, declared, seen, given } = probe
  const input = given === null ? seen : `${seen} after ${given.replace(/\s+/g, ' ')}`
  return {
    text: `\`${seen.replace(/\s+/g, ' ')}\`${given === null ? '' : ` after \`${given.replace(/\s+/g, ' ')}\``}: should this be ${alternatives(answers.map(({ answer }) => answer))}?`,
    input,
    file: path,
    options: answers.map(({ answer, of: [patch = 0] }) => {
      const test = written(probe.expecting(answer), testText, declared.start)
      const diff = unified(path, testText, [{ start: declared.end, end: declared.end, text: test }])
      return { answer, patch, test, diff }
    }),
  }
}

function alternatives(answers: readonly string[]): string {
  const words = answers.map((answer) =>
    answer.startsWith('throws ') ? `an error (${answer.slice(7)})` : answer,
  )
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** Behind the test that it was made from, as far in, with as many empty lines between. */
function written(test: string, text: string, start: number): string {
  const margin = /[ \t]*$/.exec(text.slice(0, start))?.[0] ?? ''
  const isApart = test.includes('\n')
  return `${isApart ? '\n' : ''}\n${margin}${test}`
}

export type Picked =
  | {
      readonly is: 'picked'
      /** Its place. */
      readonly patch: number
      readonly chosen: Patch
      readonly answer: string
      /** With the test. */
      readonly diff: string
      /** How far it is trusted, now that a person has spoken for it. */
      readonly confidence: Confidence
    }
  /** No patch gives that answer. */
  | { readonly is: 'none'; readonly why: string }

/** The patch whose answer it is, and the test that says so. */
export function answerRivals({ patches, question }: RepairResult, said: string): Picked {
  const wanted = spelled(said)
  const option =
    question?.options.find(({ answer }) => spelled(answer) === wanted) ??
    question?.options.find(
      ({ answer }) => answer.startsWith('throws ') && /^(throws?|an error|error)\b/.test(wanted),
    )
  const patch = option === undefined ? undefined : patches[option.patch]
  if (option === undefined || patch === undefined)
    return { is: 'none', why: `No patch that was found gives ${said} for \`${question?.input ?? ''}\`.` }
  return {
    is: 'picked',
    patch: option.patch,
    chosen: patch,
    answer: option.answer,
    diff: `${patch.diff}${option.diff}`,
    confidence: patch.special || patch.types === 'unclean' ? 'low' : 'high',
  }
}

/** What is said about an input in `<input> = <value>`; null: it is said about another one, or about none. */
export function answerAbout(input: string, said: string): string | null {
  for (let at = said.indexOf('='); at >= 0; at = said.indexOf('=', at + 1)) {
    const value = said.slice(at + 1).trim()
    if (value !== '' && inOneLine(said.slice(0, at)) === inOneLine(input)) return value
  }
  return null
}

/** The input and what is said about it, to be given back. */
export function aboutInput(input: string, answer: string): string {
  return `${input.trim().replaceAll(/\s+/g, ' ')} = ${answer}`
}

/** In one line, with one kind of quotes: `'3'` and `3` are two inputs. */
const inOneLine = (input: string): string => input.trim().replaceAll(/["`]/g, "'").replaceAll(/\s+/g, ' ')

/** Quotes and spaces do not matter. */
const spelled = (answer: string): string => answer.trim().replaceAll(/['"`]/g, '').replaceAll(/\s+/g, ' ')
