import { expect, test } from 'vitest'
import { readGoal, readNewItem, type TypedGoal, type TypedItem } from './add-item.model.ts'

const typed: TypedItem = {
  title: 'Repair the sum',
  body: '',
  acceptance: '',
  priority: '',
  labels: '',
  testCommand: '',
  measure: '',
  better: '',
  engine: '',
  project: '1',
  mayChangeTests: false,
  backlog: false,
}

test('what is typed becomes an item', () => {
  const read = readNewItem({ ...typed, acceptance: 'adds\n\n subtracts \n', priority: ' 5 ' })
  expect(read).toMatchObject({
    is: 'ready',
    value: {
      title: 'Repair the sum',
      acceptance: ['adds', 'subtracts'],
      priority: 5,
      engine: null,
      testCommand: null,
      measure: null,
      status: 'todo',
      projectNumber: 1,
      mayChangeTests: false,
    },
  })
})

test('everything that the command line takes is taken here', () => {
  const read = readNewItem({
    ...typed,
    labels: ' bug, , shop ',
    testCommand: 'npm test -- sum',
    measure: ' du -k dist ',
    better: 'lower',
    engine: 'repair',
    project: '7',
    mayChangeTests: true,
    backlog: true,
  })
  expect(read).toMatchObject({
    value: {
      labels: ['bug', 'shop'],
      testCommand: 'npm test -- sum',
      measure: { command: 'du -k dist', better: 'lower' },
      engine: 'repair',
      projectNumber: 7,
      mayChangeTests: true,
      status: 'backlog',
    },
  })
})

test.each<[Partial<TypedItem>, RegExp]>([
  [{ title: '  ' }, /title/],
  [{ title: 'x'.repeat(301) }, /^title: /],
  [{ priority: '-1' }, /whole number/],
  [{ priority: '1001' }, /whole number/],
  [{ priority: '9'.repeat(30) }, /whole number/],
  [{ acceptance: 'y'.repeat(2_001) }, /^acceptance/],
  [{ body: 'x'.repeat(70_000) }, /^body/],
  [{ project: '0' }, /project is a whole number/],
  [{ project: 'shop' }, /project is a whole number/],
  [{ better: 'lower' }, /name its command/],
  [{ labels: 'l'.repeat(101) }, /^labels/],
])('%j is wrong, and it says why', (given, why) => {
  const read = readNewItem({ ...typed, ...given })
  expect(read.is === 'wrong' && read.why).toMatch(why)
})

const goal: TypedGoal = {
  goal: 'Rename loadUser\nto fetchUser',
  verify: '',
  engine: '',
  priority: '',
  project: '',
  mayChangeTests: false,
}

test('a goal is read as the command line would', () => {
  expect(readGoal(goal)).toEqual({
    is: 'ready',
    value: {
      goal: 'Rename loadUser\nto fetchUser',
      verify: null,
      engine: null,
      priority: null,
      projectNumber: 1,
      mayChangeTests: false,
    },
  })
  expect(readGoal({ ...goal, verify: 'grep -q fetchUser a.js', engine: 'native' })).toMatchObject({
    value: { verify: 'grep -q fetchUser a.js', engine: 'native' },
  })
})

test.each<[Partial<TypedGoal>, RegExp]>([
  [{ goal: ' \n ' }, /what the goal is/],
  [{ goal: 'g'.repeat(8_001) }, /^goal: /],
  [{ verify: 'v'.repeat(2_001) }, /^verify: /],
  [{ priority: 'soon' }, /whole number/],
])('the goal %j is wrong, and it says why', (given, why) => {
  const read = readGoal({ ...goal, ...given })
  expect(read.is === 'wrong' && read.why).toMatch(why)
})
