// A mocha that stays: it is put into a copy of the project and runs the same test files again and again, each time with
// other sources, so that a candidate costs a run of its tests and not the start of everything. What the project has
// mocha load before its tests (babel, loaders of TypeScript) is loaded once. Plain JavaScript, for whatever loads it.
import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { createInterface } from 'node:readline'

const [token, given] = process.argv.slice(2)
const { words, tests } = JSON.parse(given)
const root = process.cwd()
/** As from the project's own folder. */
const load = createRequire(root + sep)
const print = process.stdout.write.bind(process.stdout)
const say = (told) => print(`\n${token} ${JSON.stringify(told)}\n`)
const list = (value) => (value === undefined ? [] : [value].flat())

/** Everything of the project itself is loaded anew; packages stay. */
function forget() {
  for (const file of Object.keys(load.cache))
    if (file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`)) delete load.cache[file]
}

function readOptions() {
  try {
    return load('mocha/lib/cli/options').loadOptions(words)
  } catch {
    // Before version 6 there is no such file: what was read of the command and its options file is all.
    return { require: words.flatMap((word, at) => (/^(-r|--require)$/.test(word) ? [words[at + 1]] : [])) }
  }
}

const Mocha = load('mocha')
const options = readOptions()

function runAll() {
  forget()
  for (const name of list(options.require)) load(name.startsWith('.') ? root + sep + name : name)
  const { ui = 'bdd', timeout = 2_000 } = options
  const mocha = new Mocha({ ui, timeout, reporter: class {} })
  for (const file of [...list(options.file), ...tests]) mocha.addFile(root + sep + file)
  return new Promise((resolve) => {
    let passed = 0
    mocha
      .run((failed) => resolve({ failed, passed }))
      .on('pass', () => {
        passed += 1
      })
  })
}

// An error outside of a test, or an exit, must not end the runner.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
process.exit = () => undefined

for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line)
  try {
    say({ id, ...(await runAll()) })
  } catch {
    // A file that cannot be loaded is a failure like any other.
    say({ id, failed: 1, passed: 0 })
  }
}
