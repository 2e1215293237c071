import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UndoStack } from '../src/undo-stack.ts'

const add = (value: number, group?: string) => ({
  label: `add ${value}`,
  apply: (state: number) => state + value,
  ...(group === undefined ? {} : { group }),
})

describe('undo and redo', () => {
  it('go back and forth', () => {
    const stack = new UndoStack(0)
    stack.do(add(1))
    stack.do(add(5))
    assert.equal(stack.state, 6)
    assert.equal(stack.undo(), 'add 5')
    assert.equal(stack.state, 1)
    assert.equal(stack.redo(), 'add 5')
    assert.equal(stack.state, 6)
    assert.equal(stack.redo(), null)
  })

  it('stop at the beginning', () => {
    const stack = new UndoStack(3)
    assert.equal(stack.undo(), null)
    assert.equal(stack.state, 3)
  })

  it('a new change cuts off what was undone', () => {
    const stack = new UndoStack(0)
    stack.do(add(1))
    stack.do(add(2))
    stack.undo()
    stack.do(add(10))
    assert.equal(stack.redo(), null)
    assert.deepEqual(stack.history(), ['done add 1', 'done add 10'])
  })

  it('a change that changes nothing is no step', () => {
    const stack = new UndoStack(0)
    stack.do(add(0))
    assert.deepEqual(stack.history(), [])
  })
})

describe('groups and limits', () => {
  it('changes of one group are one step', () => {
    const stack = new UndoStack(0)
    stack.do(add(1, 'typing'))
    stack.do(add(2, 'typing'))
    stack.do(add(4))
    stack.undo()
    assert.equal(stack.state, 3)
    stack.undo()
    assert.equal(stack.state, 0)
    assert.deepEqual(stack.history(), ['undone add 1', 'undone add 4'])
  })

  it('only the last steps are kept', () => {
    const stack = new UndoStack(0, 2)
    for (const value of [1, 2, 3]) stack.do(add(value))
    stack.undo()
    stack.undo()
    assert.equal(stack.undo(), null)
    assert.equal(stack.state, 1)
  })
})

describe('saving', () => {
  it('knows whether there is something to save', () => {
    const stack = new UndoStack(0)
    assert.equal(stack.dirty, false)
    stack.do(add(1))
    assert.equal(stack.dirty, true)
    stack.save()
    assert.equal(stack.dirty, false)
    stack.undo()
    assert.equal(stack.dirty, true)
    stack.do(add(7))
    assert.equal(stack.dirty, true)
  })

  it('a saved step does not grow', () => {
    const stack = new UndoStack(0)
    stack.do(add(1, 'typing'))
    stack.save()
    stack.do(add(2, 'typing'))
    assert.equal(stack.dirty, true)
    stack.undo()
    assert.equal(stack.state, 1)
    assert.equal(stack.dirty, false)
  })
})
