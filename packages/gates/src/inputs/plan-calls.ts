// Which calls are made: those of the tests, others near them, and the same function with what else its code names.
import type { InputCall } from '@treadle/contracts/inputs'
import { nearInputs } from './near-inputs.ts'
import type { Written } from './written-in.ts'
import { spell } from './written-value.ts'

/** A function that tests call, and with what. */
export interface TestedFunction {
  /** Relative to the project. */
  readonly file: string
  /** That of a method has its class before it. */
  readonly name: string
  /** How many of the first values of an input make the object whose method is called; absent: none is made. */
  readonly made?: number | undefined
  readonly inputs: readonly (readonly unknown[])[]
}

export interface PlannedInput {
  /** Those that are changed nearby: of a method its own, or what its object is made with where it has none. */
  readonly args: readonly unknown[]
  /** Places in the list of calls. */
  readonly call: number
  readonly near: readonly number[]
}

export interface PlannedFunction {
  readonly file: string
  readonly name: string
  readonly inputs: readonly PlannedInput[]
  /** With other values that stand in the code: the further entries of a table, if it is one. */
  readonly named: readonly number[]
}

export interface CallPlan {
  readonly calls: readonly InputCall[]
  /** The arguments of each call. */
  readonly args: readonly (readonly unknown[])[]
  readonly functions: readonly PlannedFunction[]
}

const functionsMax = 12
const inputsMax = 24
const callsMax = 1_500
const namedMax = 16
const charsMax = 2_000

export function planCalls(tested: readonly TestedFunction[], written: Written): CallPlan {
  const planning = new Planning()
  const functions = tested.slice(0, functionsMax).map((each) => planning.plan(each, written))
  return { calls: planning.calls, args: planning.args, functions }
}

class Planning {
  readonly calls: InputCall[] = []
  readonly args: (readonly unknown[])[] = []

  plan({ file, name, made, inputs }: TestedFunction, written: Written): PlannedFunction {
    const object = made === undefined ? {} : { made }
    const places = new Map<string, number>()
    const add = (args: readonly unknown[]): number | null => {
      const spelled = args.map(spell)
      const key = spelled.join(', ')
      const known = places.get(key)
      if (known !== undefined) return known
      if (this.calls.length >= callsMax || key.length > charsMax) return null
      places.set(key, this.calls.length)
      this.args.push(args)
      return this.calls.push({ file, name, ...object, args: spelled }) - 1
    }
    const spoken = inputs.slice(0, inputsMax).flatMap((args) => {
      const call = add(args)
      return call === null ? [] : [{ args, call }]
    })
    const isSpoken = new Set(spoken.map(({ call }) => call))
    const among = (lists: readonly (readonly unknown[])[]): number[] => [
      ...new Set(lists.flatMap((args) => add(args) ?? []).filter((call) => !isSpoken.has(call))),
    ]
    const planned = spoken.map(({ args, call }) => {
      const kept = made === undefined || args.length === made ? [] : args.slice(0, made)
      const own = args.slice(kept.length)
      return { args: own, call, near: among(nearInputs(own).map((near) => [...kept, ...near])) }
    })
    const [first] = spoken
    return {
      file,
      name,
      inputs: planned,
      named: first === undefined ? [] : among(namedInputs(first.args, written)),
    }
  }
}

/** One argument at a time is what the code names, where that is of its kind. */
function namedInputs(args: readonly unknown[], written: Written): unknown[][] {
  return args
    .flatMap((arg, at) =>
      written.all.filter((value) => typeof value === typeof arg).map((value) => args.with(at, value)),
    )
    .slice(0, namedMax)
}
