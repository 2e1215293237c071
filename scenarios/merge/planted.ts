// Planted semantic conflicts: two changes in different files that are each green on the same base, and red together.
import type { Files } from './yard.ts'

export interface Planted {
  readonly kind: string
  /** What both start from. */
  readonly base: Files
  readonly one: Files
  readonly other: Files
}

const kinds: Readonly<Record<string, (n: number) => Omit<Planted, 'kind'>>> = {
  // One renames a function with all its callers, the other adds a caller.
  renamed: (n) => ({
    base: {
      [`lib/${n}.sh`]: `price_${n}() { echo 5; }\n`,
      [`test/${n}.sh`]: `[ "$(price_${n})" = 5 ]\n`,
    },
    one: {
      [`lib/${n}.sh`]: `cost_${n}() { echo 5; }\n`,
      [`test/${n}.sh`]: `[ "$(cost_${n})" = 5 ]\n`,
    },
    other: {
      [`lib/${n}-use.sh`]: `total_${n}() { echo $(($(price_${n}) * 2)); }\n`,
      [`test/${n}-use.sh`]: `[ "$(total_${n})" = 10 ]\n`,
    },
  }),
  // One changes what a number means, the other begins to use it as it was.
  contract: (n) => ({
    base: {
      [`lib/${n}.sh`]: `wait_${n}() { echo 2; }\n`,
      [`test/${n}.sh`]: `[ "$(wait_${n})" = 2 ]\n`,
    },
    one: {
      [`lib/${n}.sh`]: `wait_${n}() { echo 2000; }\n`,
      [`test/${n}.sh`]: `[ "$(wait_${n})" = 2000 ]\n`,
    },
    other: {
      [`lib/${n}-use.sh`]: `patience_${n}() { echo $(($(wait_${n}) * 60)); }\n`,
      [`test/${n}-use.sh`]: `[ "$(patience_${n})" = 120 ]\n`,
    },
  }),
  // One removes what nobody uses, the other begins to use it.
  removed: (n) => ({
    base: {
      [`lib/${n}.sh`]: `spare_${n}() { echo spare; }\n`,
      [`lib/${n}-main.sh`]: `main_${n}() { echo main; }\n`,
      [`test/${n}.sh`]: `[ "$(main_${n})" = main ]\n`,
    },
    one: { [`lib/${n}.sh`]: null },
    other: { [`test/${n}-use.sh`]: `[ "$(spare_${n})" = spare ]\n` },
  }),
  // One demands an argument, the other calls without it.
  argument: (n) => ({
    base: {
      [`lib/${n}.sh`]: `greet_${n}() { echo "hello $1"; }\n`,
      [`test/${n}.sh`]: `[ "$(greet_${n} Ada)" = 'hello Ada' ]\n`,
    },
    one: {
      [`lib/${n}.sh`]: `greet_${n}() { [ -n "$2" ] || return 1; echo "$2 $1"; }\n`,
      [`test/${n}.sh`]: `[ "$(greet_${n} Ada hello)" = 'hello Ada' ]\n`,
    },
    other: { [`test/${n}-use.sh`]: `[ "$(greet_${n} Bob)" = 'hello Bob' ]\n` },
  }),
  // Each takes the number that is free.
  number: (n) => ({
    base: {
      [`ports/${n}/web`]: '80\n',
      [`test/${n}.sh`]: `[ -z "$(cat ports/${n}/* | sort | uniq -d)" ]\n`,
    },
    one: { [`ports/${n}/mail`]: '81\n' },
    other: { [`ports/${n}/chat`]: '81\n' },
  }),
  // There is room for one more.
  room: (n) => ({
    base: {
      [`seats/${n}/first`]: 'taken\n',
      [`test/${n}.sh`]: `[ "$(ls seats/${n} | wc -l)" -le 2 ]\n`,
    },
    one: { [`seats/${n}/second`]: 'taken\n' },
    other: { [`seats/${n}/third`]: 'taken\n' },
  }),
}

/** The kinds in turn. */
export function plantedPair(n: number): Planted {
  const names = Object.keys(kinds)
  const kind = names[n % names.length] ?? 'renamed'
  const make = kinds[kind]
  if (make === undefined) throw new Error(`there is no kind named ${kind}`)
  return { kind, ...make(n) }
}

/** Two that change the same line: git itself says no. */
export function textualPair(n: number): Planted {
  return {
    kind: 'textual',
    base: { [`text/${n}`]: 'one\n' },
    one: { [`text/${n}`]: 'two\n' },
    other: { [`text/${n}`]: 'three\n' },
  }
}

/** Nobody's business but its own. */
export function innocent(n: number): Files {
  return {
    [`lib/${n}-new.sh`]: `new_${n}() { echo ${n}; }\n`,
    [`test/${n}-new.sh`]: `[ "$(new_${n})" = ${n} ]\n`,
  }
}
