// Runs inside the project's own test processes, on whatever Node they use, so it is plain JavaScript without
// dependencies. It notes which functions of which project files ran, which files were read, and whether another
// process or thread was started, whose doings it cannot see.
const { createRequire, SourceMap, syncBuiltinESMExports } = require('node:module')
const inspector = require('node:inspector')
const { join, relative, resolve, sep } = require('node:path')
const { fileURLToPath } = require('node:url')

const builtin = createRequire(__filename)
const fs = builtin('node:fs')
const { writeFileSync: write, realpathSync: realpath } = fs
const pathsMax = 4000
const code = /\.[cm]?[jt]sx?$/

/**
 * @param {{ root: string, from?: string | null }} options The project's folder, as a real path, and the file whose
 * reading ends what the runner does before the test.
 */
function startRecording({ root, from = null }) {
  const noted = { reads: new Set(), lists: new Set(), opaque: new Set(), from: from && join(root, from) }
  const inside = (path) => path.startsWith(root + sep) && !/[\\/](node_modules|\.git)([\\/]|$)/.test(path)
  watchFiles(noted, inside)
  watchStarts(noted)
  syncBuiltinESMExports()
  const session = new inspector.Session()
  session.connect()
  const scripts = new Map()
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params))
  ask(session, 'Debugger.enable')
  ask(session, 'Profiler.enable')
  ask(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    take() {
      const { result } = ask(session, 'Profiler.takePreciseCoverage')
      const loads = []
      for (const script of result) {
        const path = pathOf(script.url)
        if (path === null || !inside(path)) continue
        const parsed = scripts.get(script.scriptId)
        loads.push({ path: within(root, path), functions: functionsOf(session, script, parsed) })
      }
      const names = (set) => [...set].map((path) => within(root, path))
      return { loads, reads: names(noted.reads), lists: names(noted.lists), opaque: [...noted.opaque] }
    },
    stop() {
      session.disconnect()
    },
  }
}

function ask(session, method, params) {
  let answer = null
  session.post(method, params, (error, value) => {
    if (error) throw new Error(`${method}: ${error.message}`)
    answer = value
  })
  return answer
}

function pathOf(url) {
  const bare = url.replace(/[?#].*$/, '')
  if (bare.startsWith('file://')) return fileURLToPath(bare)
  return bare.startsWith('/') ? bare : null
}

function within(root, path) {
  return relative(root, path).split(sep).join('/')
}

/**
 * Places in the file as written: [name, line, column, end line, end column, ran, whether the start is exact].
 * Null if they cannot be told.
 */
function functionsOf(session, script, parsed) {
  if (parsed === undefined) return null
  const { scriptSource } = ask(session, 'Debugger.getScriptSource', { scriptId: script.scriptId })
  const placeAt = placesOf(scriptSource)
  const original = originalOf(parsed.sourceMapURL)
  if (original === null) return null
  const found = []
  for (const { functionName, ranges } of script.functions) {
    const [range] = ranges
    const start = original(placeAt(range.startOffset))
    const end = original(placeAt(Math.max(range.startOffset, range.endOffset - 1)))
    if (!start || !end) continue
    found.push([functionName, start[0], start[1], end[0], end[1], range.count > 0, start[2]])
  }
  return found
}

function placesOf(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return [low, offset - starts[low]]
  }
}

/** From a place in what ran to a place in what was written; lines and columns from 0. */
function originalOf(sourceMapUrl) {
  if (!sourceMapUrl) return ([line, column]) => [line, column, true]
  const data = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(sourceMapUrl)
  if (data === null) return null
  try {
    const text = data[1] ? Buffer.from(data[2], 'base64').toString('utf8') : decodeURIComponent(data[2])
    const payload = JSON.parse(text)
    if (payload.sources.length !== 1) return null
    const map = new SourceMap(payload)
    return ([line, column]) => {
      const entry = map.findEntry(line, column)
      if (entry.originalLine === undefined) return null
      const exact = entry.generatedLine === line && entry.generatedColumn === column
      return [entry.originalLine, entry.originalColumn, exact]
    }
  } catch {
    return null
  }
}

const listing = new Set(['readdir', 'readdirSync', 'opendir', 'opendirSync', 'watch', 'watchFile'])
const copying = new Set(['cp', 'cpSync', 'glob', 'globSync'])

function watchFiles(noted, inside) {
  const note = (name, given) => {
    if (copying.has(name) && !byRunner()) noted.opaque.add(`it uses fs.${name}`)
    const path = asPath(given)
    if (path !== null && path === noted.from && /^readFile/.test(name)) startAfresh(noted)
    if (path === null || !inside(path) || byRunner(path)) return
    const set = listing.has(name) ? noted.lists : noted.reads
    if (set.size < pathsMax) set.add(path)
    else noted.opaque.add('it reads very many files')
  }
  for (const of of [fs, fs.promises]) {
    for (const name of Object.keys(of)) {
      if (typeof of[name] !== 'function' || !/^[a-z]/.test(name)) continue
      replace(of, name, (given) => note(name, given))
    }
  }
}

function startAfresh(noted) {
  for (const set of [noted.reads, noted.lists, noted.opaque]) set.clear()
  noted.from = null
}

function asPath(given) {
  if (typeof given === 'string') return resolve(given)
  if (given instanceof URL) return given.protocol === 'file:' ? fileURLToPath(given) : null
  return Buffer.isBuffer(given) ? resolve(given.toString()) : null
}

// What the runner reads for itself says nothing about a test; what the loader reads as code is seen as coverage.
const runners =
  /[\\/]node_modules[\\/](jest|@jest[\\/]\w+|jest-[\w-]+|mocha|vitest|@vitest[\\/]\w+|vite)[\\/]/

function byRunner(path = '') {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const frames = String(new Error('where').stack).split('\n').slice(1)
  Error.stackTraceLimit = limit
  const outer = frames.find(
    (frame) => !frame.includes(__filename) && !/[( ]node:(internal\/)?fs\b/.test(frame),
  )
  if (code.test(path) && outer?.includes('node:internal/modules/')) return true
  // A package that neither the runner nor the project is was called by one of the two.
  const caller = frames.find((frame) => runners.test(frame) || isProjects(frame))
  return caller !== undefined && runners.test(caller)
}

function isProjects(frame) {
  return /[\\/]/.test(frame) && !/[( ]node:|[\\/]node_modules[\\/]/.test(frame) && !frame.includes(__filename)
}

function watchStarts(noted) {
  const processes = builtin('node:child_process')
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
    replace(processes, name, () => byRunner() || noted.opaque.add('it starts another process'))
  }
  const threads = builtin('node:worker_threads')
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(...given) {
      if (!byRunner()) noted.opaque.add('it starts a thread')
      super(...given)
    }
  }
}

function replace(of, name, note) {
  const real = of[name]
  const replaced = function (...given) {
    note(given[0])
    return Reflect.apply(real, this, given)
  }
  // Such as promisify's own variants and realpath.native.
  Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(real))
  try {
    of[name] = replaced
  } catch {
    note('')
  }
}

/**
 * For runs where one process runs one test file: the record is written when it ends. Node's own runner says in the
 * environment that a process is one of its children; otherwise the file is given as `test`.
 */
function recordProcess({ root, into, test, from }) {
  const { env } = process
  if (env.TREADLE_RECORDED || (test === null && !env.NODE_TEST_CONTEXT)) return
  // Processes that the tests start are not tests.
  if (test === null) env.TREADLE_RECORDED = '1'
  const recording = startRecording({ root, from })
  const entry = process.argv[1]
  process.on('exit', () => {
    const own = test ?? (entry ? within(root, realpath(resolve(entry))) : null)
    const record = { test: own, ...recording.take() }
    if (own && record.loads.some(({ path }) => path === own)) {
      write(join(into, `test-${process.pid}-${Date.now()}.json`), JSON.stringify(record))
    }
  })
}

module.exports = { ask, originalOf, pathOf, placesOf, recordProcess, startRecording, within }
