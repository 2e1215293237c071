// The likely cause of a group as one sentence.
import { headOf } from './normalise.ts'
import { frameText } from './signature.ts'
import type { FailureProfile } from './similar.ts'

const saidCharsMax = 300
const valueCharsMax = 80
const causeCharsMax = 900

export function causeOf(members: readonly FailureProfile[], suspects: readonly string[]): string {
  const [first] = members
  if (first === undefined) return 'nothing failed'
  return `${sentence(members, first, suspects)}.`.slice(0, causeCharsMax).toWellFormed()
}

function sentence(
  members: readonly FailureProfile[],
  first: FailureProfile,
  suspects: readonly string[],
): string {
  const { facts, failure } = first
  const count = new Set(members.map((each) => each.failure.id)).size
  const tests = count === 1 ? 'one test' : `${count} tests`
  const said = saidBy(first)
  const [thrown] = facts.thrown
  const mixed = new Set(members.map((each) => each.facts.kind)).size > 1
  if (mixed)
    return `${tests} ${count === 1 ? 'fails' : 'fail'} in different ways${near(suspects)}; one says: ${said}`
  switch (facts.kind) {
    case 'load':
      return `${failure.file ?? failure.id} cannot be loaded${thrown ? ` because of ${frameText(thrown)}` : ''}: ${said}`
    case 'timeout':
      return `${tests} did not end in time${near(suspects)}: ${said}`
    case 'error':
      return `${tests} ${count === 1 ? 'ends' : 'end'} with an error${thrown ? ` in ${frameText(thrown)}` : near(suspects)}: ${said}`
    case 'assertion':
      return `${tests} ${count === 1 ? 'finds' : 'find'} another result than expected${near(suspects)}: ${said}`
    case 'unknown':
      return `${tests} failed without a reason that can be read${near(suspects)}: ${said}`
  }
}

function near(suspects: readonly string[]): string {
  const [likely] = suspects
  if (likely === undefined) return ''
  const [file, name] = likely.split('#')
  return `, likely through ${name} (${file})`
}

function saidBy({ failure }: FailureProfile): string {
  const head = short(headOf(failure.message).replace(/[.:\s]+$/, ''), saidCharsMax) || 'no message'
  const { expected, actual } = failure
  // A message that ends before its diff does not say the values.
  const untold = /equal$|!==/.test(head) || !/\d|['"[{]/.test(head)
  if (!untold || !expected || !actual) return head
  return `${head} (expected ${short(expected, valueCharsMax)}, got ${short(actual, valueCharsMax)})`
}

function short(text: string, charsMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line
}
