// Faults made by rule in the programs: one operator, number or condition of a function, as a slip would change it.
import { type Node, parseSync } from 'oxc-parser'
import { programNames, runnerOf, sourcesOf } from '../repair/materialise.ts'
import type { Fault } from './faults.ts'

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '+',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}

interface Slip {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function madeFaults(): Fault[] {
  return programNames().flatMap((program) =>
    [...sourcesOf(program, [])].flatMap(([file, text]) => {
      const { program: tree } = parseSync(file, text)
      return slipsIn(tree, text).flatMap((slip, at): Fault[] => {
        const edit = editOf(text, slip)
        const id = `made-${program}-${file.replace(/^src\/|\.ts$/g, '')}-${at + 1}`
        return edit === null ? [] : [{ id, program, runner: runnerOf(program), edit: { file, ...edit } }]
      })
    }),
  )
}

function slipsIn(node: unknown, text: string, inFunction = false): Slip[] {
  if (!isNode(node)) return []
  const isFunction = /Function/.test(node.type)
  // A loop that does not end says nothing about grouping, so functions that loop on a condition are left alone.
  if (isFunction && /\bwhile \(|\bfor \(;/.test(text.slice(node.start, node.end))) return []
  const within = inFunction || isFunction
  const inner = node.type === 'ForStatement' ? [node.body] : Object.values(node).flat()
  const own = within ? slipsOf(node, text) : []
  return [...own, ...inner.flatMap((each) => slipsIn(each, text, within))]
}

function slipsOf(node: Node, text: string): Slip[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const to = swapped[node.operator]
      const [start, end] = [node.left.end, node.right.start]
      const between = text.slice(start, end)
      const isPlain = to !== undefined && between.trim() === node.operator
      return isPlain ? [{ start, end, text: between.replace(node.operator, () => to) }] : []
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const { start, end } = node.test
      return [{ start, end, text: `!(${text.slice(start, end)})` }]
    }
    case 'Literal':
      return typeof node.value === 'number'
        ? [{ start: node.start, end: node.end, text: String(node.value + 1) }]
        : []
    default:
      return []
  }
}

/** The whole line, since an edit names a text that occurs once; null where the line does not. */
function editOf(text: string, slip: Slip): { find: string; replace: string } | null {
  const from = text.lastIndexOf('\n', slip.start - 1) + 1
  const next = text.indexOf('\n', slip.end)
  const to = next < 0 ? text.length : next
  const find = text.slice(from, to)
  const replace = text.slice(from, slip.start) + slip.text + text.slice(slip.end, to)
  return text.split(find).length === 2 ? { find, replace } : null
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
