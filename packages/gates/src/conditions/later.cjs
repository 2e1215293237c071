// Loaded into every Node process and worker of a run: the clock is ahead, in each realm that is made.
const { readFileSync, writeFileSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const { join } = require('node:path')
const vm = require('node:vm')

const move = `(aheadMs) => {
  const Real = Date
  const now = Real.now.bind(Real)
  const ahead = () => now() + aheadMs
  const Moved = new Proxy(Real, {
    construct: (target, args, as) =>
      Reflect.construct(target, args.length === 0 ? [ahead()] : args, as === Moved ? target : as),
    apply: () => new Moved().toString(),
  })
  Real.now = function now() {
    return ahead()
  }
  Object.defineProperty(Real.prototype, 'constructor', { value: Moved, writable: true, configurable: true })
  Object.defineProperty(globalThis, 'Date', { value: Moved, writable: true, configurable: true })
}`

/** Once in each thread: a runner may hand the same option on twice. */
const once = Symbol.for('later')

function moveAll(aheadMs) {
  vm.runInThisContext(move)(aheadMs)
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + aheadMs })
  const { createContext } = vm
  vm.createContext = (...args) => {
    const made = createContext(...args)
    try {
      vm.runInContext(move, made)(aheadMs)
    } catch {
      // A realm that runs no code from text keeps its clock.
    }
    return made
  }
  syncBuiltinESMExports()
  writeFileSync(join(__dirname, 'moved'), '')
}

try {
  if (!process[once]) {
    Object.defineProperty(process, once, { value: true })
    moveAll(Number(readFileSync(join(__dirname, 'seconds'), 'utf8')) * 1_000)
  }
} catch {
  // A process that may not read here keeps its clock.
}
