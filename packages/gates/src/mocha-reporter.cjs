// A reporter for mocha: prints what its own `spec` prints, and writes what its own `json` writes to a file beside it.
// It is loaded by the project's mocha, so it takes mocha from there.
const { realpathSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { inspect } = require('node:util')

module.exports = class SpecAndFile extends findMocha().reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const seen = { tests: [], passes: [], pending: [], failures: [] }
    const keep = (list) => (test, error) => {
      const known = described(test, error)
      list.push(known)
      seen.tests.push(known)
    }
    runner.on('pass', keep(seen.passes))
    runner.on('pending', keep(seen.pending))
    runner.on('fail', keep(seen.failures))
    runner.once('end', () => {
      writeFileSync(fileOf(options), JSON.stringify({ stats: this.stats, ...seen }))
    })
  }
}

/** The mocha that runs, or if it is wrapped the one that the project depends on. */
function findMocha() {
  try {
    return createRequire(realpathSync(process.argv[1]))('mocha')
  } catch {
    return createRequire(join(process.cwd(), 'package.json'))('mocha')
  }
}

/** Mocha before 6 has the options of a reporter under another name. */
function fileOf({ reporterOption, reporterOptions }) {
  return (reporterOption ?? reporterOptions).file
}

function described(test, error) {
  const { title, file, duration } = test
  const known = { title, fullTitle: test.fullTitle(), titlePath: pathOf(test), file, duration }
  return error === undefined ? known : { ...known, err: errorOf(error) }
}

/** The titles down to the test; mocha before 4 does not tell. A throw here would end the run as if all were well. */
function pathOf(test) {
  if (typeof test.titlePath === 'function') return test.titlePath()
  const titles = []
  for (let at = test; at !== undefined && at !== null && !at.root; at = at.parent) titles.unshift(at.title)
  return titles
}

function errorOf(error) {
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const { name, message, stack } = error
  const compared = 'expected' in error ? { expected: shown(error.expected), actual: shown(error.actual) } : {}
  return { name: String(name), message: String(message), stack: String(stack), ...compared }
}

function shown(value) {
  return typeof value === 'string' ? value : inspect(value, { depth: 4 })
}
