// The file sets of real commits, as numbers. Usage: node bench/locks/history.ts REPOSITORY NAME [--commits n].
// Prints one JSON document: what stands in fastify.json was made by it. Names of files are left out: what counts is who
// shares one with whom.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: 'string', default: '200' } },
})
const [repository, name] = positionals
if (repository === undefined || name === undefined) throw new RangeError('give a repository and its name')

/** What touches more is a release or a sweep through the tree, and no task. */
const FILES_MAX = 10
const git = (...args: string[]) =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })

const log = git('log', '--no-merges', '--no-renames', '--format=%x00', '--name-only', 'HEAD')
const sets = log
  .split('\0')
  .map((text) => text.split('\n').filter((line) => line !== ''))
  .filter((files) => files.length > 0 && files.length <= FILES_MAX)
  .slice(0, Number(values.commits))
  // Oldest first, as they were made.
  .reverse()
const numbers = new Map<string, number>()
const numberOf = (file: string): number => {
  const known = numbers.get(file) ?? numbers.size
  numbers.set(file, known)
  return known
}
const commits = sets.map((files) => files.map(numberOf))
const document = { repository: name, head: git('rev-parse', 'HEAD').trim(), commits }
process.stdout.write(`${JSON.stringify(document)}\n`)
