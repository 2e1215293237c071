import { expect, test } from 'vitest'
import { judgePressure, NO_PRESSURE, type Pressure, pressureHold, pressureWords } from './pressure.ts'

const limits = { memoryFreeMb: 500, loadPerCore: 20 }
const calm = { memoryFreeMb: 4_000, load: 0.5, cores: 2 }
const short: Pressure = { memory: true, load: false }
const loaded: Pressure = { memory: false, load: true }

test.each<[memoryFreeMb: number, was: Pressure, isShort: boolean]>([
  [499, NO_PRESSURE, true],
  [500, NO_PRESSURE, false],
  [501, NO_PRESSURE, false],
  // What is short stays so up to a quarter more than the limit.
  [501, short, true],
  [624, short, true],
  [625, short, false],
  [626, short, false],
])('%d MB free after %j: short is %s', (memoryFreeMb, was, isShort) => {
  expect(judgePressure({ ...calm, memoryFreeMb }, limits, was)).toEqual({ memory: isShort, load: false })
})

test.each<[load: number, cores: number, was: Pressure, isOver: boolean]>([
  [39.9, 2, NO_PRESSURE, false],
  [40, 2, NO_PRESSURE, false],
  [40.1, 2, NO_PRESSURE, true],
  [40.1, 4, NO_PRESSURE, false],
  [80.1, 4, NO_PRESSURE, true],
  // No machine is taken to have no core.
  [20.1, 0, NO_PRESSURE, true],
  [32.1, 2, loaded, true],
  [32, 2, loaded, false],
  [31.9, 2, loaded, false],
])('a load of %d on %d cores after %j: over is %s', (load, cores, was, isOver) => {
  expect(judgePressure({ ...calm, load, cores }, limits, was)).toEqual({ memory: false, load: isOver })
})

test('a shortage names what there is, what is wanted and the setting; enough says nothing', () => {
  const now = { memoryFreeMb: 312.4, load: 41.26, cores: 2 }
  expect(pressureWords(now, limits, NO_PRESSURE)).toEqual([])
  expect(pressureWords(now, limits, { memory: true, load: true })).toEqual([
    'memory is short: 312 MB are free, 625 MB are wanted (limits.memoryFreeMb is 500)',
    'the machine is overloaded: its load is 41.3, 32 is wanted (limits.loadPerCore is 20, cores 2)',
  ])
})

test('under pressure one agent works: who is alone may claim, who would be the second may not', () => {
  expect(pressureHold([], 9)).toBeNull()
  expect(pressureHold(['memory is short'], 0)).toBeNull()
  for (const others of [1, 2])
    expect(pressureHold(['memory is short'], others)).toBe(
      'memory is short; until there is enough, one agent works at a time',
    )
})
