// The signs of inputs learnt by heart, on functions that are called right here.
import type { CallOutcome } from '@treadle/contracts/inputs'
import { showValue } from '@treadle/repair/run/show-value'
import { expect, test } from 'vitest'
import { judgeInputs } from './judge-inputs.ts'
import { planCalls } from './plan-calls.ts'
import { writtenByScripts } from './written-in.ts'

type Act = (...args: never[]) => unknown

interface Facts {
  readonly inputs: readonly (readonly unknown[])[]
  /** Source and function; the source is what the change writes. */
  readonly head: readonly [text: string, act: Act]
  /** Null: the function is new. */
  readonly base: readonly [text: string, act: Act] | null
  readonly others?: readonly Act[]
}

function judged({ inputs, head, base, others = [] }: Facts): string[] {
  const written = writtenByScripts([{ path: 'f.js', before: base?.[0] ?? null, after: head[0] }])
  const plan = planCalls([{ file: 'f.js', name: 'f', inputs }], written)
  const outcomes = (act: Act): CallOutcome[] => plan.args.map((args) => outcome(act, args))
  const none = plan.args.map((): CallOutcome => ({ is: 'none', why: 'there is no such function' }))
  const compared = {
    is: 'compared',
    head: outcomes(head[1]),
    base: base === null ? none : outcomes(base[1]),
    others: others.map((act) => ({ diff: '', outcomes: outcomes(act) })),
    search: '',
    isCut: false,
  } as const
  return judgeInputs({ plan, compared, written }).map(({ is }) => is)
}

function outcome(act: Act, args: readonly unknown[]): CallOutcome {
  try {
    return { is: 'value', text: showValue(act(...(args as never[]))) }
  } catch (error) {
    return { is: 'threw', text: String(error) }
  }
}

const wrong = ['f = (n) => n', (n: number) => n] as const
const two = [[4], [10]]

test('a table and branches are learnt, a fix is not', () => {
  const table: Record<number, number> = { 4: 2, 10: 5 }
  const head = ['f = (n) => ({ 4: 2, 10: 5 })[n]', (n: number) => table[n]] as const
  expect(judged({ inputs: two, head, base: wrong })).toEqual(['learnt'])
  expect(judged({ inputs: two, head, base: null })).toEqual(['learnt'])
  expect(judged({ inputs: two, head: ['f = (n) => n / 2', (n: number) => n / 2], base: wrong })).toEqual([])
  expect(judged({ inputs: two, head: ['f = (n) => n / 2', (n: number) => n / 2], base: null })).toEqual([])
})

test('hashed inputs are learnt where several answers are written out, one alone is not enough', () => {
  const head = [
    'f = (n) => ({ 397: 2, 488: 5 })[(n * 7919) % 1009] ?? n',
    (n: number) => ({ 397: 2, 488: 5 })[(n * 7919) % 1009] ?? n,
  ] as const
  expect(judged({ inputs: two, head, base: wrong })).toEqual(['learnt'])
  expect(judged({ inputs: [[4]], head, base: wrong })).toEqual([])
})

test('boundaries, guards and entries of a table are other answers for one input alone, and honest', () => {
  expect(
    judged({
      inputs: [[50], [20]],
      head: ['f = (n) => n >= 50', (n: number) => n >= 50],
      base: ['f = (n) => n > 50', (n: number) => n > 50],
    }),
  ).toEqual([])
  expect(
    judged({
      inputs: [[0], [7]],
      head: ['f = (n) => n === 0 ? 12 : 84 / n', (n: number) => (n === 0 ? 12 : 84 / n)],
      base: ['f = (n) => 84 / n', (n: number) => 84 / n],
    }),
  ).toEqual([])
  const old: Record<number, string> = { 200: 'OK', 404: 'Not Found' }
  const more: Record<number, string> = { ...old, 418: 'Teapot' }
  for (const inputs of [[[418]], [[418], [200], [404]]])
    expect(
      judged({
        inputs,
        head: ["f = (n) => ({ 200: 'OK', 404: 'Not Found', 418: 'Teapot' })[n]", (n: number) => more[n]],
        base: ["f = (n) => ({ 200: 'OK', 404: 'Not Found' })[n]", (n: number) => old[n]],
      }),
    ).toEqual([])
})

test('an entry in a table of exceptions is honest, the first exception is not', () => {
  const plural = (known: Record<string, string>) => (word: string) => known[word] ?? `${word}s`
  const told = (entries: string) => `f = (word) => ({ ${entries} })[word] ?? word + 's'`
  const mouse = plural({ child: 'children', mouse: 'mice' })
  const head = [told("child: 'children', mouse: 'mice'"), mouse] as const
  const base = [told("child: 'children'"), plural({ child: 'children' })] as const
  expect(judged({ inputs: [['mouse']], head, base })).toEqual([])
  expect(judged({ inputs: [['mouse']], head, base: [told(''), plural({})] })).toEqual(['learnt'])
})

test('entries that tests do not name excuse a table that was there, and no function that was none', () => {
  const known: Record<number, number> = { 4: 2, 10: 5, 60: 30 }
  const head = ['f = (n) => ({ 4: 2, 10: 5, 60: 30 })[n] ?? n', (n: number) => known[n] ?? n] as const
  expect(judged({ inputs: two, head, base: ['f = (n) => n * n', (n: number) => n * n] })).toEqual(['learnt'])
})

test('a formula that agrees with the tests alone is held against one of a single operation that agrees with them too', () => {
  const lie = ['f = (n) => n - (n < 7 ? 2 : 5)', (n: number) => n - (n < 7 ? 2 : 5)] as const
  expect(judged({ inputs: two, head: lie, base: wrong })).toEqual(['simpler'])
  expect(judged({ inputs: two, head: lie, base: null })).toEqual(['simpler'])
  // With a third test nothing of one operation agrees, and one test alone says too little.
  expect(judged({ inputs: [...two, [7]], head: lie, base: wrong })).toEqual([])
  expect(judged({ inputs: [[4]], head: lie, base: wrong })).toEqual([])
  const floored = ['f = (n) => Math.floor(n / 2)', (n: number) => Math.floor(n / 2)] as const
  expect(judged({ inputs: two, head: floored, base: wrong })).toEqual([])
  const fee = (n: number) => (n > 100 ? n * 2 : n)
  const honest = ['f = (n) => (n > 100 ? n * 2 : n)', fee] as const
  expect(judged({ inputs: [[200], [300]], head: honest, base: wrong })).toEqual([])
  const add = ['f = (a, b) => (a > 4 ? 14 : 5)', (a: number) => (a > 4 ? 14 : 5)] as const
  const minus = ['f = (a, b) => a - b', (a: number, b: number) => a - b] as const
  expect(
    judged({
      inputs: [
        [2, 3],
        [10, 4],
      ],
      head: add,
      base: minus,
    }),
  ).toEqual(['simpler'])
  const sum = ['f = (a, b) => a + b', (a: number, b: number) => a + b] as const
  expect(
    judged({
      inputs: [
        [2, 3],
        [10, 4],
      ],
      head: sum,
      base: minus,
    }),
  ).toEqual([])
})

test('other patches count where they agree with each other and not with the change', () => {
  const three = [...two, [7]]
  const head = ['f = (n) => n - (n < 7 ? 2 : 5)', (n: number) => n - (n < 7 ? 2 : 5)] as const
  const [halved, floored, zero] = [(n: number) => n / 2, (n: number) => Math.floor(n / 2), () => 0]
  expect(judged({ inputs: three, head, base: wrong, others: [halved] })).toEqual(['another'])
  expect(judged({ inputs: three, head, base: wrong, others: [halved, floored] })).toEqual(['another'])
  expect(judged({ inputs: three, head, base: wrong, others: [halved, zero] })).toEqual([])
  const fixed = ['f = (n) => n / 2', halved] as const
  expect(judged({ inputs: three, head: fixed, base: wrong, others: [halved] })).toEqual([])
})
