import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UndoStack } from '../src/undo-stack.ts'

let seed = 11
function random(limit: number): number {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return Math.floor((seed / 2147483648) * limit)
}

type Shot = { state: string; mark: number; label: string; group: string | null }

// A list of snapshots, each with its own mark, so that "saved" is a question of identity.
class Plain {
  past: Shot[] = [{ state: '', mark: 0, label: '', group: null }]
  future: Shot[] = []
  saved = 0
  marks = 0
  limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  top(): Shot {
    return this.past.at(-1) ?? { state: '', mark: 0, label: '', group: null }
  }

  do(label: string, text: string, group: string | null): void {
    if (text === '') return
    const top = this.top()
    const joins = this.past.length > 1 && group !== null && top.group === group && top.mark !== this.saved
    this.future = []
    this.marks += 1
    const state = top.state + text
    if (joins) this.past.pop()
    this.past.push({ state, mark: this.marks, label: joins ? top.label : label, group })
    while (this.past.length > this.limit + 1) this.past.shift()
  }

  undo(): string | null {
    const top = this.past.at(-1)
    if (!top || this.past.length === 1) return null
    this.past.pop()
    this.future.push(top)
    return top.label
  }

  redo(): string | null {
    const next = this.future.pop()
    if (!next) return null
    this.past.push(next)
    return next.label
  }

  history(): string[] {
    return [
      ...this.past.slice(1).map((shot) => `done ${shot.label}`),
      ...this.future.map((shot) => `undone ${shot.label}`).reverse(),
    ]
  }
}

for (const limit of [2, 5, 100]) {
  test(`random editing with a limit of ${limit}`, () => {
    const stack = new UndoStack('', limit)
    const plain = new Plain(limit)
    for (let round = 0; round < 1500; round += 1) {
      const action = random(9)
      if (action < 4) {
        const text = ['', 'a', 'b'][random(3)] ?? ''
        const group = [null, 'g', 'h'][random(3)] ?? null
        const label = `step ${round}`
        stack.do({ label, apply: (state) => state + text, ...(group === null ? {} : { group }) })
        plain.do(label, text, group)
      } else if (action < 6) {
        assert.equal(stack.undo(), plain.undo())
      } else if (action < 8) {
        assert.equal(stack.redo(), plain.redo())
      } else {
        stack.save()
        plain.saved = plain.top().mark
      }
      assert.equal(stack.state, plain.top().state)
      assert.equal(stack.dirty, plain.top().mark !== plain.saved, `round ${round}`)
      assert.deepEqual(stack.history(), plain.history())
    }
  })
}

test('do gives back the new state, and a hundred steps are kept', () => {
  const stack = new UndoStack(0)
  for (let count = 1; count <= 120; count += 1) {
    assert.equal(stack.do({ label: 'up', apply: (state) => state + 1 }), count)
  }
  assert.equal(stack.history().length, 100)
  while (stack.undo() !== null) assert.equal(stack.dirty, true)
  assert.equal(stack.state, 20)
})
