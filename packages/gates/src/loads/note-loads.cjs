// Loaded into every Node process and worker of a run, before everything else: notes which file each import came to.
// Plain JavaScript without dependencies, as it runs on whatever Node the project uses.
const { existsSync, openSync, readFileSync, realpathSync, writeSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join, sep } = require('node:path')
const { fileURLToPath } = require('node:url')
const vm = require('node:vm')
const { threadId } = require('node:worker_threads')

const linesMax = 20_000
/** Once in each thread: a runner may hand the same option on twice. */
const once = Symbol.for('note-loads')

function openNotes(root) {
  const file = openSync(join(__dirname, 'out', `${process.pid}-${threadId}-${process.hrtime.bigint()}`), 'wx')
  const known = new Set()
  const write = (line) => {
    const text = JSON.stringify(line)
    if (known.size >= linesMax || known.has(text)) return
    known.add(text)
    try {
      // At once: a runner may end its workers without a word.
      writeSync(file, known.size === linesMax ? '["partial","too much was loaded"]\n' : `${text}\n`)
    } catch {
      // A test may have closed what it did not open.
    }
  }
  const isOwn = (path) => path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`)
  const packages = new Set()
  const noteFolder = (path) => {
    const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path)?.[1]
    if (found === undefined || packages.has(found)) return
    packages.add(found)
    try {
      const { name, version } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8'))
      write(['package', String(name), String(version)])
    } catch {
      // Not every folder there is a package.
    }
  }
  const note = (importer, specifier, written, kind = 'load') => {
    const [by, target] = [asWritten(root, importer), asWritten(root, written)]
    if (target !== null && !isOwn(target)) noteFolder(target)
    const from = by !== null && isOwn(by) ? by : null
    if (from === null && (target === null || !isOwn(target))) return
    write([from === null ? 'load' : kind, from, from === null ? null : specifier, target])
  }
  return { write, note, isOwn }
}

/** The configuration that vite has put together in a file of its own, by the name that it was written under. */
function asWritten(root, path) {
  const made = /^(.*?)(?:[\\/]node_modules[\\/]\.vite-temp)?[\\/]([^\\/]+)\.timestamp-[\w-]+\.mjs$/.exec(
    path ?? '',
  )
  if (made === null) return path
  const beside = join(made[1], made[2])
  return existsSync(beside) ? beside : join(root, made[2])
}

function pathOf(url) {
  if (typeof url !== 'string') return null
  const bare = url.replace(/[?#].*$/, '')
  try {
    if (bare.startsWith('file://')) return fileURLToPath(bare)
  } catch {
    return null
  }
  return bare.startsWith('/') ? bare : null
}

/** Every import and require that Node resolves itself. */
function watchResolving({ note, write }) {
  const told = (parent, specifier, target) => {
    if (/^node:|^data:/.test(specifier) || Module.isBuiltin(specifier)) return
    note(parent, specifier, target)
  }
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      resolve(specifier, context, next) {
        const parent = pathOf(context.parentURL)
        try {
          const found = next(specifier, context)
          const target = pathOf(found?.url)
          if (target !== null) told(parent, specifier, target)
          return found
        } catch (error) {
          told(parent, specifier, null)
          throw error
        }
      },
    })
    return
  }
  write(['partial', `Node ${process.version} does not tell of its imports`])
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (request, parent, ...rest) {
    const found = Reflect.apply(resolve, this, [request, parent, ...rest])
    if (found.startsWith('/')) told(parent?.filename ?? null, request, found)
    return found
  }
}

/** The imports in what vite has made of a module; their paths begin at its root. */
const imported = /\b__vi\w*import\w*__\(\s*"((?:[^"\\]|\\.)*)"/g

/** Code that runners compile themselves: its file, and who asked for it. */
function watchCompiling(notes) {
  const see = (code, given) => {
    try {
      noteCompiled(
        notes,
        String(code),
        pathOf(typeof given === 'string' ? given : (given?.filename ?? given?.identifier)),
      )
    } catch {
      // What cannot be noted is run all the same.
    }
  }
  for (const [name, at] of [
    ['runInThisContext', 1],
    ['runInContext', 2],
    ['compileFunction', 2],
  ]) {
    vm[name] = new Proxy(vm[name], {
      apply(real, self, args) {
        see(args[0], args[at])
        return Reflect.apply(real, self, args)
      },
    })
  }
  for (const name of ['Script', 'SourceTextModule']) {
    if (typeof vm[name] !== 'function') continue
    vm[name] = new Proxy(vm[name], {
      construct(real, args, as) {
        see(args[0], args[1])
        return Reflect.construct(real, args, as === vm[name] ? real : as)
      },
    })
  }
  Module.syncBuiltinESMExports()
}

function noteCompiled({ note, isOwn }, text, path) {
  if (path === null || !isOwn(path)) return
  if (!/\b__vi\w*(?:import|export)/.test(text.slice(0, 1_000))) {
    note(importerIn(isOwn, path), null, path, 'first')
    return
  }
  note(null, null, path)
  for (const [, written] of text.matchAll(imported)) {
    const url = JSON.parse(`"${written}"`)
    if (/^(?:node|data|virtual):|^\0/.test(url) || Module.isBuiltin(url)) continue
    note(path, null, /^(?:\/|file:)/.test(url) ? servedFrom(path, url) : url)
  }
}

function servedFrom(importer, url) {
  const bare = url.replace(/[?#].*$/, '')
  if (bare.startsWith('/@fs/')) return bare.slice('/@fs'.length)
  if (bare.startsWith('file://')) return pathOf(bare)
  for (let at = dirname(importer); at !== dirname(at); at = dirname(at)) {
    const path = join(at, bare)
    if (existsSync(path)) return path
  }
  return existsSync(bare) ? bare : null
}

/** The nearest file of the project that is under way: it has asked for the one that is compiled. */
function importerIn(isOwn, path) {
  const { prepareStackTrace, stackTraceLimit } = Error
  try {
    Error.stackTraceLimit = 60
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName())
    const files = new Error('where').stack
    const from = Array.isArray(files)
      ? files.find((file) => pathOf(file) !== null && isOwn(pathOf(file)))
      : null
    return from === undefined || from === null || pathOf(from) === path ? null : pathOf(from)
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
}

/** Options of Node by which something else is loaded, or under another name. */
const asking =
  /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--preserve-symlinks\S*)(=|$)/

function askedBy() {
  const { env } = process
  const words = [...(env.NODE_OPTIONS ?? '').split(/\s+/), ...process.execArgv]
  const options = words.flatMap((word, at) => {
    if (!asking.test(word)) return []
    const value = word.includes('=') ? word : `${word}=${words[at + 1] ?? ''}`
    return value.includes(__dirname)
      ? []
      : [value.replace(/^-r=/, '--require=').replace(/^-C=/, '--conditions=')]
  })
  return {
    program: `node ${process.version}`,
    options: [...new Set(options)].sort(),
    paths: env.NODE_PATH ?? '',
  }
}

try {
  if (!process[once]) {
    Object.defineProperty(process, once, { value: true })
    const notes = openNotes(realpathSync(readFileSync(join(__dirname, 'root'), 'utf8')))
    notes.write(['asked', askedBy()])
    watchResolving(notes)
    watchCompiling(notes)
  }
} catch {
  // A process that may not write here is not noted.
}
