// Whether a condition holds for given facts. Both sides are always looked at, so a missing fact never hides.
import { BadCondition, type Condition, Refused, type Term, type Value } from './condition.ts'
import { type Facts, factAt } from './facts.ts'

export function conditionHolds({ text, term }: Condition, facts: Facts): boolean {
  try {
    return truth(term, facts)
  } catch (error) {
    throw error instanceof Refused ? new BadCondition(text, error.message, error.index) : error
  }
}

function truth(term: Term, facts: Facts): boolean {
  const value = evaluate(term, facts)
  if (typeof value === 'boolean') return value
  throw new Refused(`${nameOf(term)} is neither true nor false`, placeOf(term))
}

function number(term: Term, facts: Facts): number {
  const value = evaluate(term, facts)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new Refused(`${nameOf(term)} is no number`, placeOf(term))
}

function evaluate(term: Term, facts: Facts): Value {
  switch (term.is) {
    case 'value':
      return term.value
    case 'fact':
      return plain(term, facts)
    case 'not':
      return !truth(term.of, facts)
    case 'minus':
      return -number(term.of, facts)
    case 'math':
      return reckon(term.operator, number(term.left, facts), number(term.right, facts))
    case 'order':
      return inOrder(term.operator, number(term.left, facts), number(term.right, facts))
    case 'equal':
      return same(term, evaluate(term.left, facts), evaluate(term.right, facts)) === (term.operator === '==')
    case 'logic': {
      const sides = [truth(term.left, facts), truth(term.right, facts)]
      return term.operator === 'AND' ? sides.every(Boolean) : sides.some(Boolean)
    }
  }
}

function plain(term: Extract<Term, { is: 'fact' }>, facts: Facts): Value {
  const fact = factAt(facts, term.path)
  if (typeof fact !== 'object') return fact
  throw new Refused(`${nameOf(term)} is more than one value`, term.at)
}

/** A text is never equal to a number, so to compare the two is a mistake and not an answer. */
function same(term: Term, left: Value, right: Value): boolean {
  if (typeof left === typeof right) return left === right
  throw new Refused(`a ${typeof left} is compared with a ${typeof right}`, placeOf(term))
}

function reckon(operator: '+' | '-' | '*' | '/', left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
  }
}

function inOrder(operator: '<' | '<=' | '>' | '>=', left: number, right: number): boolean {
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}

function nameOf(term: Term): string {
  return term.is === 'fact' ? term.path.join('.') : 'this'
}

function placeOf(term: Term): number {
  return term.is === 'value' ? 0 : term.at
}
