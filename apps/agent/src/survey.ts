// treadle survey: what is measurably wrong in a repository, found by programs. It runs nothing of the repository. The
// report goes to standard output as JSON; the command line makes words of it. With --finding KEY it is the item that puts
// this one right, or why there is none.
import { parseArgs } from 'node:util'
import { CATEGORIES } from '@treadle/contracts/categories'
import { surveyOf } from '@treadle/contracts/finding-measure'
import type { FindingItem } from '@treadle/contracts/survey'
import { Fault } from '@treadle/flow/fault'
import { findingItem } from '@treadle/flow/idea/category/finding-item'
import { openCommitFiles } from '@treadle/git/commit-files'
import { lineTimes } from '@treadle/git/line-times'
import { openProjectTree } from '@treadle/git/project-tree'
import { planMend } from '@treadle/mend/mends'
import { lookAround } from '@treadle/survey/look-around'
import { Project } from '@treadle/survey/project'
import { SURVEYS } from '@treadle/survey/surveys'
import { complain } from './end.ts'
import { readEnv } from './env.ts'

/** More findings of one kind than anybody reads at once. */
const EACH_MAX = 20

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      repository: { type: 'string' },
      category: { type: 'string' },
      all: { type: 'boolean' },
      finding: { type: 'string' },
      // A commit, which is looked at instead of the files of the checkout.
      commit: { type: 'string' },
    },
  })
  const { repository, category, all = false, finding, commit } = values
  if (repository === undefined) throw new Fault('usage', 'survey: --repository DIR')
  const git = { repository, env: readEnv() }
  const tree =
    commit === undefined
      ? { ...openProjectTree(git), lineTimes: (path: string) => lineTimes(git, path) }
      : openCommitFiles(git, commit)
  const project = new Project(tree, () => new Date())
  if (finding !== undefined) {
    process.stdout.write(`${JSON.stringify(await itemOf(project, finding))}\n`)
    return
  }
  const report = await lookAround(project, {
    category: CATEGORIES.find((each) => each === category) ?? null,
    eachMax: all ? Number.MAX_SAFE_INTEGER : EACH_MAX,
    canMend: canMendIn(project),
    onLook: showProgress,
  })
  showProgress(null)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
}

/** What mend has a plan for; whether that brings something new is seen when it is tried. */
function canMendIn(project: Project): (key: string) => Promise<boolean> {
  return async (key) => (await planMend(project, key)).is === 'edits'
}

async function itemOf(project: Project, key: string): Promise<FindingItem> {
  const survey = SURVEYS.find(({ name }) => name === surveyOf({ key }))
  if (survey === undefined) return { is: 'no_survey', known: SURVEYS.map(({ name }) => name) }
  const { category, name } = survey
  const wanted = {
    category,
    eachMax: Number.MAX_SAFE_INTEGER,
    canMend: async (each: string) => each === key && (await canMendIn(project)(each)),
    onLook: showProgress,
  }
  const { findings, skipped } = await lookAround(project, wanted)
  showProgress(null)
  const found = findings.find((each) => each.key === key)
  if (found !== undefined) return { is: 'item', item: findingItem(found) }
  const unseen = skipped.find((each) => each.survey === name && !each.part)
  return unseen === undefined ? { is: 'gone' } : { is: 'unknown', why: unseen.why }
}

/** Null: there is nothing more to look for. */
function showProgress(name: string | null): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r\u001b[K${name === null ? '' : `looking for: ${name.replaceAll('-', ' ')} …`}`)
}

await main().catch(complain)
