import { parse, type Tree } from './parse.ts'

type Names = Record<string, number>

const functions: Record<string, (args: number[]) => number> = {
  max: (args) => Math.max(...args),
  min: (args) => Math.min(...args),
  abs: ([value = 0]) => Math.abs(value),
  sum: (args) => args.reduce((total, value) => total + value, 0),
  clamp: ([value = 0, low = 0, high = 1]) => Math.min(Math.max(value, low), high),
}

export function evaluate(text: string, names: Names = {}): number {
  return value(parse(text), names)
}

function value(tree: Tree, names: Names): number {
  switch (tree.is) {
    case 'number':
      return tree.value
    case 'name':
      return lookUp(tree.name, names)
    case 'negate':
      return -value(tree.operand, names)
    case 'binary':
      return apply(tree.operator, value(tree.left, names), value(tree.right, names))
    case 'call': {
      const called = functions[tree.name]
      if (!called) throw new ReferenceError(`no function ${tree.name}`)
      return called(tree.args.map((arg) => value(arg, names)))
    }
  }
}

function lookUp(name: string, names: Names): number {
  const found = names[name]
  if (found === undefined) throw new ReferenceError(`no value for ${name}`)
  return found
}

function apply(operator: string, left: number, right: number): number {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '^') return left ** right
  if (right === 0) throw new RangeError('division by zero')
  return operator === '/' ? left / right : left % right
}
