// What is known when a question comes up. A thing with more than one side carries its words as `text`.
export type Fact = string | number | boolean | readonly string[] | { readonly [name: string]: Fact }
export type Facts = { readonly [name: string]: Fact }

/** Something the question needs was not handed in; the message names it. */
export class MissingFact extends Error {
  readonly fact: string
  constructor(fact: string) {
    super(`the fact ${fact} is missing`)
    this.name = 'MissingFact'
    this.fact = fact
  }
}

/** Only what a fact holds itself can be reached, never what every object inherits. */
export function factAt(facts: Facts, path: readonly string[]): Fact {
  let found: Fact = facts
  for (const [index, name] of path.entries()) {
    const inner: Fact | undefined = memberOf(found, name)
    // Whoever triggers may be less careful than its types.
    if (inner === undefined || inner === null) throw new MissingFact(path.slice(0, index + 1).join('.'))
    found = inner
  }
  return found
}

function memberOf(fact: Fact, name: string): Fact | undefined {
  if (typeof fact === 'string' || isList(fact)) return name === 'length' ? fact.length : undefined
  if (typeof fact !== 'object' || !Object.hasOwn(fact, name)) return undefined
  return fact[name]
}

export function isList(fact: Fact): fact is readonly string[] {
  return Array.isArray(fact)
}
