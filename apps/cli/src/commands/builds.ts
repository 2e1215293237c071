// Commands about builds: how a specification becomes merged code, task by task.
import type { Build, BuildForecast, BuildTask, BuildView } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'
import { TaskId } from '@treadle/contracts/specification'
import { LEVEL_WORDS } from '@treadle/contracts/validation-level'
import { timeAgo } from '@treadle/contracts/words/time'
import { InvalidArgumentError } from 'commander'
import { callerName } from '../caller-name.ts'
import { paint, pairs, print, printJson } from '../output.ts'
import { json, type Program, refuseMore, withClient } from '../program.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'

interface Json {
  readonly json?: boolean
}

/** Waits for somebody else than whoever runs the command. */
const EXIT_WAITING = 3
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export function buildCommands(program: Program): void {
  const build = program.root.command('build')
  build
    .command('list', { isDefault: true })
    .description('builds of specifications, the newest first')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => list(client, options))
    })
  build
    .command('show')
    .description(
      'one build: what waits for what, who works on which file, what failed and why, money and time',
    )
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) =>
        show(program, await client.showBuild({ params: { id: slug } }), options),
      ),
    )
  build
    .command('forecast')
    .description(
      'what the build of a specification is likely to cost and how long it takes, before it begins',
    )
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) => {
        const forecast = await client.forecastBuild({ params: { id: slug } })
        if (options.json) printJson(forecast)
        else print(forecastWords(forecast))
      }),
    )
  orders(program, build)
}

type Group = ReturnType<Program['root']['command']>

function orders(program: Program, build: Group): void {
  build
    .command('stop')
    .description('begin nothing new of a build; tasks at work come to their end, and nothing is lost')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) =>
        show(program, await client.stopBuild({ params: { id: slug }, body: { by: callerName() } }), options),
      ),
    )
  build
    .command('resume')
    .description('go on with a build that stopped or failed')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) =>
        show(
          program,
          await client.resumeBuild({ params: { id: slug }, body: { by: callerName() } }),
          options,
        ),
      ),
    )
  build
    .command('retry')
    .description('have a failed or skipped task tried again, with those that were skipped because of it')
    .argument('<slug>', 'the idea', asSlug)
    .argument('<task>', 'the task, such as T3', asTask)
    .addOption(json())
    .action((slug, task, options) =>
      withClient(program, async (client) => {
        const body = { by: callerName(), task }
        show(program, await client.retryTask({ params: { id: slug }, body }), options)
      }),
    )
}

function asSlug(text: string): string {
  if (!SLUG.test(text) || text.length > 60)
    throw new InvalidArgumentError('must be the name of an idea, such as shopping-list.')
  return text
}

function asTask(text: string): string {
  if (TaskId.safeParse(text).success) return text
  throw new InvalidArgumentError('must be the name of a task, such as T3.')
}

async function list(client: Client, { json: asJson }: Json): Promise<void> {
  const { items } = await client.listBuilds()
  if (asJson) return printJson(items)
  if (items.length === 0)
    return print('No build yet. One begins when a specification is approved: treadle spec approve <slug>')
  const now = Date.now()
  const rows = items.map((build) => [
    build.spec,
    build.status,
    String(build.revision),
    `${build.commits.length} of ${build.tasksTotal}`,
    build.branch,
    timeAgo(build.startedAt, now),
  ])
  print(
    listing(['SLUG', 'STATUS', 'REVISION', 'TASKS', 'BRANCH', 'BEGAN'], rows, {
      drop: ['BEGAN', 'BRANCH'],
      whole: ['SLUG'],
    }),
  )
}

function show(program: Program, build: BuildView, { json: asJson }: Json): void {
  const waits = build.hint !== null && build.status === 'running'
  if (waits) program.exitCode = EXIT_WAITING
  if (asJson) printJson(build)
  else showText(build)
}

function showText(build: BuildView): void {
  print(paint('bold', plainText(build.title)))
  print(
    pairs([
      ['Build', `${build.spec}, revision ${build.revision}: ${build.status}${whyOf(build)}`],
      ['Branch', `${build.branch}, to be merged into ${build.target}`],
      ['Tasks', countWords(build)],
      ['Delivery', deliveryWords(build)],
      ['Validation', validationWords(build)],
      ['So far', `$${build.usd.toFixed(2)}, ${minutes(build.elapsedMs)} at work`],
      ...forecastPairs(build),
    ]),
  )
  print('')
  print(
    build.tasks.length === 0
      ? 'No task.'
      : listing(['ID', 'STATUS', 'ITEM', 'FILE', 'WHO', 'WHAT'], build.tasks.map(rowOf), { drop: ['WHO'] }),
  )
  showFailures(build)
  if (build.edited !== null) showEdited(build, build.edited)
  if (build.hint !== null) print(paint('yellow', `\n${plainText(build.hint)}`))
}

const ERROR_LINES = 4
const ERROR_WIDTH = 300

/** The last error of each task that is not there for it. */
function showFailures({ tasks, failures }: BuildView): void {
  const failed = tasks.flatMap((task) => {
    const last = task.status === 'complete' ? undefined : failures.findLast((each) => each.task === task.id)
    return last === undefined ? [] : [{ task, error: last.error }]
  })
  if (failed.length === 0) return
  print('\nWhat failed:')
  for (const { task, error } of failed) {
    const lines = error.split('\n').filter((line) => line.trim() !== '')
    print(`  ${task.id} (treadle show ${task.number} has all of it)`)
    for (const line of lines.slice(0, ERROR_LINES)) print(`    ${plainText(line.slice(0, ERROR_WIDTH))}`)
  }
}

function whyOf({ why }: Build): string {
  return why === null ? '' : `, ${plainText(why)}`
}

function rowOf(task: BuildTask): string[] {
  const { id, status, number, file, agent } = task
  return [id, status.replace('_', ' '), `#${number}`, plainText(file), agent ?? '', plainText(whatOf(task))]
}

/** What there is to say of a task besides where it stands. */
function whatOf({ status, why, ready, state, mergeCommit }: BuildTask): string {
  if (status === 'complete') return mergeCommit?.slice(0, 8) ?? ''
  if (why !== null) return why
  return status === 'pending' ? ready : state.replaceAll('_', ' ')
}

function countWords({ counts, tasksTotal }: BuildView): string {
  const named = (['complete', 'in_progress', 'pending', 'failed', 'skipped'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status.replace('_', ' ')}`)
  return `${tasksTotal}${named.length === 0 ? '' : `: ${named.join(', ')}`}`
}

function deliveryWords({ delivery, deliveryState, mergeCommit }: BuildView): string {
  if (delivery === null) return 'not yet'
  const merged = mergeCommit === null ? '' : ` as ${mergeCommit.slice(0, 8)}`
  return `#${delivery}, ${deliveryState?.replaceAll('_', ' ') ?? 'gone'}${merged}`
}

function validationWords({ validation }: BuildView): string {
  if (validation === null) return 'as the settings say'
  const { takes, adds } = LEVEL_WORDS[validation]
  return `${validation} (about ${takes}; up to ${adds})`
}

function forecastPairs({ forecast }: BuildView): [string, string][] {
  return forecast === null ? [] : [['Forecast', forecastWords(forecast)]]
}

export function forecastWords({ usd, hours, basedOn, held }: BuildForecast): string {
  if (usd === null || hours === null)
    return `unknown: the crew has finished ${basedOn} items so far, too few to tell`
  const kept =
    held.forecasts === 0
      ? 'no such forecast has been tried yet'
      : `${held.within} of ${held.forecasts} such forecasts held`
  return `$${usd.low.toFixed(2)} to $${usd.high.toFixed(2)}, ${hours.low.toFixed(1)} to ${hours.high.toFixed(1)} h (from ${basedOn} finished items; ${kept})`
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 60_000)
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`
}

function showEdited({ spec, revision }: BuildView, edited: NonNullable<BuildView['edited']>): void {
  print(
    `\nThe specification is revision ${edited.revision} by now; revision ${revision} is built. What differs:`,
  )
  for (const line of edited.difference.slice(0, 40)) print(`  ${plainText(line)}`)
  print(`To build that instead: treadle spec approve ${spec} --revision ${edited.revision}`)
}
