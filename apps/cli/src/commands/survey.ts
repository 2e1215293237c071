// Looks at this repository for what is measurably wrong. The surveys read code, so a program of the agent does it.
import { CATEGORIES } from '@treadle/contracts/categories'
import { type Finding, SurveyReport } from '@treadle/contracts/survey'
import { Argument } from 'commander'
import { readAgentProgram, SURVEY_MAIN } from '../agent-program.ts'
import { paint, print, printJson } from '../output.ts'
import { json, type Program } from '../program.ts'
import { flowed } from '../terminal/columns.ts'
import { findRepository } from '../workspace.ts'

const HELP = `
It reads files and the history of git, and runs nothing of the repository. It
needs no daemon, no model and no network. Each finding has a measure: a command
that ends with 1 while it is there, and with 0 when it is gone.

Examples:
  treadle survey                         look for everything
  treadle survey dependency-management   one category
  treadle survey testing --json          for programs
  treadle survey code-quality --finding unused-file:src/old.js
  treadle add --finding unused-file:src/old.js     put it right`

interface Options {
  readonly finding?: string
  readonly all?: boolean
  readonly json?: boolean
}

export function surveyCommands(program: Program): void {
  program.root
    .command('survey')
    .addArgument(new Argument('[category]', 'one of the 21 (default: all of them)').choices(CATEGORIES))
    .option('--finding <key>', 'only this one: exit code 1 while it is there')
    .option('--all', 'every finding, and not only the first 20 of a kind')
    .addOption(json())
    .addHelpText('after', HELP)
    .action(async (category: string | undefined, options: Options) => {
      const all = options.all === true || options.finding !== undefined
      const args = { repository: findRepository(process.cwd()), category, all }
      const { code, stdout } = await readAgentProgram(program.env, SURVEY_MAIN, args)
      program.exitCode = code
      if (code !== 0) return
      const report = SurveyReport.parse(JSON.parse(stdout))
      if (options.finding !== undefined) program.exitCode = showOne(report, options.finding, options)
      else if (options.json) printJson(report)
      else for (const line of reportLines(report)) print(line)
    })
}

/** 1: it is still there, or nobody can tell; 0: it is gone. */
function showOne({ findings, skipped }: SurveyReport, key: string, options: Options): number {
  const name = key.replace(/:.*$/s, '')
  const finding = findings.find((each) => each.key === key) ?? null
  const unseen = skipped.find(({ survey, part }) => survey === name && !part) ?? null
  if (options.json) printJson({ finding, skipped: unseen })
  else if (finding !== null) for (const line of findingLines(finding)) print(line)
  else print(flowed(unseen === null ? `${key} is not there.` : `Nobody can tell: ${unseen.why}`))
  return finding === null && unseen === null ? 0 : 1
}

function reportLines({ findings, skipped }: SurveyReport): string[] {
  const byCategory = [...Map.groupBy(findings, ({ category }) => category)]
  const needModel = skipped.filter(({ survey }) => survey === null)
  const others = skipped.filter((each) => !needModel.includes(each))
  return [
    ...byCategory.flatMap(([category, own]) => [
      paint('bold', `${category} (${own.length})`),
      ...own.flatMap(findingLines),
      '',
    ]),
    flowed(sumWords(findings, byCategory.length)),
    ...others.map(({ category, why }) => flowed(`Not told of ${category}: ${why}`)),
    ...(needModel.length === 0
      ? []
      : [flowed(`Need a model: ${needModel.map(({ category }) => category).join(', ')}`)]),
  ]
}

function sumWords(findings: readonly Finding[], categories: number): string {
  if (findings.length === 0) return 'Nothing found.'
  const mendable = findings.filter((each) => each.mendable).length
  const of = `${findings.length === 1 ? '1 finding' : `${findings.length} findings`} in ${categories === 1 ? '1 category' : `${categories} categories`}`
  return `${of}; ${mendable} that a program can put right.`
}

function findingLines({ title, evidence, estimateHours, mendable, key }: Finding): string[] {
  const facts = `about ${estimateHours} h${mendable ? ', a program can put it right' : ''}`
  return [
    flowed(`  ${title}`),
    ...evidence.split('\n').map((line) => flowed(paint('dim', `      ${line}`))),
    flowed(paint('dim', `      ${facts} · ${key}`)),
  ]
}
