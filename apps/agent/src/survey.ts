// treadle survey: what is measurably wrong in a repository, found by programs. It runs nothing of the repository. The
// report goes to standard output as JSON; the command line makes words of it.
import { parseArgs } from 'node:util'
import { CATEGORIES } from '@treadle/contracts/categories'
import { Fault } from '@treadle/flow/fault'
import { lineTimes } from '@treadle/git/line-times'
import { openProjectTree } from '@treadle/git/project-tree'
import { lookAround } from '@treadle/survey/look-around'
import { Project } from '@treadle/survey/project'
import { complain } from './end.ts'
import { readEnv } from './env.ts'

/** More findings of one kind than anybody reads at once. */
const EACH_MAX = 20

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { repository: { type: 'string' }, category: { type: 'string' }, all: { type: 'boolean' } },
  })
  const { repository, category, all = false } = values
  if (repository === undefined) throw new Fault('usage', 'survey: --repository DIR')
  const git = { repository, env: readEnv() }
  const tree = { ...openProjectTree(git), lineTimes: (path: string) => lineTimes(git, path) }
  const report = await lookAround(new Project(tree, () => new Date()), {
    category: CATEGORIES.find((each) => each === category) ?? null,
    eachMax: all ? Number.MAX_SAFE_INTEGER : EACH_MAX,
    onLook: showProgress,
  })
  showProgress(null)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
}

/** Null: there is nothing more to look for. */
function showProgress(name: string | null): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r\u001b[K${name === null ? '' : `looking for: ${name.replaceAll('-', ' ')} …`}`)
}

await main().catch(complain)
