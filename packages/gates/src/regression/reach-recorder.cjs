// Runs inside the project's own test processes and notes which parts of which functions each single test ran. Plain
// JavaScript without dependencies, as it runs on whatever Node the project uses.
const inspector = require('node:inspector')
const { realpathSync, writeFileSync } = require('node:fs')
const { join, sep } = require('node:path')
const { ask, originalOf, pathOf, placesOf, within } = require('./recorder.cjs')

const testsMax = 4000

/** @param {{ root: string, into: string }} options The project's folder and the one for records, as real paths. */
function startReach({ root, into }) {
  const session = new inspector.Session()
  session.connect()
  const scripts = new Map()
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params))
  ask(session, 'Debugger.enable')
  ask(session, 'Profiler.enable')
  ask(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const places = new Map()
  const open = new Set()
  const ended = []
  const isOurs = (path) => path?.startsWith(root + sep) && !/[\\/]node_modules[\\/]/.test(path)
  const placeIn = (script) => {
    if (!places.has(script.scriptId)) places.set(script.scriptId, makePlaces(session, script, scripts))
    return places.get(script.scriptId)
  }
  // What ran since the last look belongs to every test that is under way.
  const look = () => {
    const { result } = ask(session, 'Profiler.takePreciseCoverage')
    if (open.size === 0) return
    for (const script of result) {
      const path = pathOf(script.url)
      if (!isOurs(path)) continue
      const place = placeIn(script)
      if (place === null) continue
      const ran = script.functions
        .filter(({ ranges }) => ranges[0].count > 0)
        .flatMap((each) => place(each) ?? [])
      for (const test of open) test.ran.push([within(root, path), ran])
    }
  }
  return {
    begin(file, name) {
      look()
      const test = { file: within(root, realpathSync(file)), name, ran: [] }
      if (ended.length + open.size < testsMax) open.add(test)
      return test
    },
    end(test) {
      look()
      if (open.delete(test)) ended.push(test)
    },
    write() {
      const tests = [...ended.splice(0), ...open]
      if (tests.length > 0)
        writeFileSync(
          join(into, `reach-${process.pid}-${process.hrtime.bigint()}.json`),
          JSON.stringify(tests),
        )
    },
  }
}

/** From a function as the engine saw it to [name, [line, column, end line, end column, ran][]] in the written text. */
function makePlaces(session, script, scripts) {
  const parsed = scripts.get(script.scriptId)
  const original = parsed === undefined ? null : originalOf(parsed.sourceMapURL)
  if (original === null) return null
  const placeAt = placesOf(
    ask(session, 'Debugger.getScriptSource', { scriptId: script.scriptId }).scriptSource,
  )
  return ({ functionName, ranges }) => {
    const found = ranges.flatMap(({ startOffset, endOffset, count }) => {
      const start = original(placeAt(startOffset))
      const end = original(placeAt(Math.max(startOffset, endOffset - 1)))
      return start && end ? [[start[0], start[1], end[0], end[1], count > 0]] : []
    })
    return found.length === 0 ? null : [[functionName, found]]
  }
}

/** For node:test, as a preload: root hooks reach all tests of the process. */
function recordNodeTests(options) {
  const inOne = process.execArgv.some((word) => /^--(experimental-)?test-isolation=none$/.test(word))
  const { env } = process
  if (env.TREADLE_RECORDED || !(inOne || env.NODE_TEST_CONTEXT)) return
  // Processes that the tests start are not tests.
  env.TREADLE_RECORDED = '1'
  const { afterEach, beforeEach } = require('node:test')
  const reach = startReach(options)
  const open = new Map()
  beforeEach(({ fullName, filePath }) => {
    open.set(fullName, reach.begin(filePath ?? process.argv[1], fullName))
  })
  afterEach(({ fullName }) => {
    const test = open.get(fullName)
    if (test) reach.end(test)
  })
  process.on('exit', () => reach.write())
}

module.exports = { recordNodeTests, startReach }
