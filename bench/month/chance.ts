// Chance of one month: all of it comes from the seed, so that the same seed is the same month.
import { randomFrom } from '@treadle/memory/trial/draw'

export class Chance {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomFrom(seed)
  }

  is(share: number): boolean {
    return this.#next() < share
  }

  between(least: number, most: number): number {
    return least + this.#next() * (most - least)
  }

  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  one<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.#next() * list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, at: this.#next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value)
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.whole(0, 15).toString(16)).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }

  commit(): string {
    return Array.from({ length: 40 }, () => this.whole(0, 15).toString(16)).join('')
  }
}
