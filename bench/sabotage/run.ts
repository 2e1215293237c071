// npm run sabotage -- <repository> [--install COMMAND] [--setup COMMAND] [--tests COMMAND] [--borrow] <repository> …: on a copy of each
// repository a real crew delivers a fault that the tests notice, which must be refused, and then its honest fix, which
// must be merged.
import { type Copy, makeCopy, type Repository } from './copy.ts'
import { type Endings, runCrew } from './crew.ts'
import { type Fault, findFault } from './fault.ts'

interface Row {
  readonly name: string
  readonly tests: string
  readonly fault: string
  readonly sabotage: string
  readonly fix: string
  readonly seconds: number
  readonly asWanted: boolean
}

const given = process.argv.slice(2)
const keeps = given.includes('--keep')
const repositories = repositoriesIn(given.filter((word) => word !== '--keep'))
if (repositories.length === 0) {
  process.stderr.write(
    'Name repositories: npm run sabotage -- <path> [--install COMMAND] [--setup COMMAND] [--tests COMMAND] [--borrow] <path> …\n',
  )
  process.exit(2)
}
const rows: Row[] = []
for (const repository of repositories) {
  const row = await attempt(repository)
  process.stderr.write(`${row.name}: ${row.sabotage}, ${row.fix} (${row.seconds} s)\n`)
  rows.push(row)
}
print(rows)
process.exitCode = rows.every(({ asWanted }) => asWanted) ? 0 : 1

/** An option belongs to the repository that was named before it. */
function repositoriesIn(words: readonly string[]): Repository[] {
  const named: Repository[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string
    const option = /^--(install|setup|tests|borrow)$/.exec(word)?.[1]
    if (option === undefined) {
      named.push({ path: word })
      continue
    }
    const last = named.pop()
    if (option !== 'borrow') at += 1
    if (last === undefined || words[at] === undefined) throw new Error(`${word} follows a repository`)
    named.push({ ...last, [option]: words[at] })
  }
  return named
}

async function attempt(repository: Repository): Promise<Row> {
  const start = Date.now()
  const seconds = () => Math.round((Date.now() - start) / 1000)
  let copy: Copy | null = null
  try {
    copy = makeCopy(repository)
    process.stderr.write(`${copy.name}: ${copy.root}\n`)
    if (!copy.testsPass()) throw new Error(`its tests fail as they are: ${copy.testCommand}`)
    const fault = findFault(copy.root, copy.testsPass)
    if (fault === null) throw new Error('no fault that was tried turns its tests red')
    return rowOf(copy, fault, await runCrew(copy, fault), seconds())
  } catch (error) {
    const words = `NOT TRIED: ${(error as Error).message}`
    const name = copy?.name ?? repository.path
    return { name, tests: '', fault: '', sabotage: words, fix: '', seconds: seconds(), asWanted: false }
  } finally {
    if (!keeps) copy?.remove()
  }
}

function rowOf(copy: Copy, fault: Fault, { sabotage, fix }: Endings, seconds: number): Row {
  return {
    name: copy.name,
    tests: copy.testCommand,
    fault: `${fault.file}:${fault.line} ${fault.before} → ${fault.after}`,
    sabotage: sabotage.words,
    fix: fix.words,
    seconds,
    asWanted: sabotage.asWanted && fix.asWanted,
  }
}

function print(all: readonly Row[]): void {
  const width = Math.max(...all.map(({ name }) => name.length), 10)
  const lines = all.flatMap(({ name, tests, fault, sabotage, fix, seconds }) => [
    `${name.padEnd(width)}  ${sabotage.padEnd(9)}  ${fix.padEnd(10)}  ${String(seconds).padStart(4)} s  ${tests}`,
    ...(fault === '' ? [] : [`${''.padEnd(width)}  ${fault}`]),
  ])
  const head = `${'repository'.padEnd(width)}  sabotage   honest fix    time    tests`
  process.stdout.write(`\n${[head, ...lines].join('\n')}\n`)
}
