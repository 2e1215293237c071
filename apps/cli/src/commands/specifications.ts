// Commands about specifications: made from an idea's documents, read, changed by words, approved.
import { ApiError, type Client } from '@treadle/contracts/client'
import type { Specification, SpecificationView, TargetComplexity } from '@treadle/contracts/specification'
import { ValidationLevel } from '@treadle/contracts/validation-level'
import { timeAgo } from '@treadle/contracts/words/time'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { paint, pairs, print, printJson } from '../output.ts'
import { asCount, json, type Program, refuseMore, wait, withClient } from '../program.ts'
import { asSlug } from '../slug.ts'
import { flowed } from '../terminal/columns.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { untilWritten } from '../until-written.ts'
import { UserError } from '../user-error.ts'
import { forecastWords } from './builds.ts'

interface Json {
  readonly json?: boolean
}

/** Waits for somebody else than whoever runs the command. */
const EXIT_WAITING = 3

export function specificationCommands(program: Program): void {
  const spec = program.root.command('spec')
  spec
    .command('list', { isDefault: true })
    .description('specifications, the last generated first')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => list(client, options))
    })
  spec
    .command('generate')
    .description("make build/spec.md and build/tasks.md from an idea's documents")
    .argument('<slug>', 'the idea: the name of its folder', asSlug)
    .option(
      '--full',
      'with what a first version can do without: logic of its own, edge cases, a test for each quality',
    )
    .option('--user <slug>', 'whose idea it is; left out, yours')
    .option('--engine <name>', 'who writes it; none: rules alone')
    .addOption(wait())
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) => show(program, await generate(client, slug, options), options)),
    )
  spec
    .command('show')
    .description('one specification as it stands in the repository, with its tasks and what is missing')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) =>
        show(program, await client.showSpecification({ params: { id: slug } }), options),
      ),
    )
  decisions(program, spec)
}

type Group = ReturnType<Program['root']['command']>

function decisions(program: Program, spec: Group): void {
  spec
    .command('revise')
    .description(
      'ask for changes, in any words where an engine reads them; for rules: "add feature ...", "remove ...", "rename ... to ...", "no database", "use vitest"',
    )
    .argument('<slug>', 'the idea', asSlug)
    .argument('<words...>', 'what should change')
    .option('--engine <name>', 'who carries it out; none: rules alone')
    .addOption(wait())
    .addOption(json())
    .action((slug, words: string[], options) =>
      withClient(program, async (client) => {
        const body = { text: needWords(words.join(' ')), by: callerName(), ...named(options) }
        const asked = await client.reviseSpecification({ params: { id: slug }, body })
        show(program, await untilWritten(client, asked, options), options)
      }),
    )
  spec
    .command('approve')
    .description('approve the revision that was read; refused if it has changed since')
    .argument('<slug>', 'the idea', asSlug)
    .option('--revision <n>', 'the revision that was read', asCount(1_000_000))
    .addOption(
      new Option('--validation <level>', 'how thoroughly its build is validated').choices(
        ValidationLevel.options,
      ),
    )
    .addOption(json())
    .action((slug, options) => withClient(program, (client) => approve(client, slug, options)))
}

function needWords(text: string): string {
  if (text.trim() !== '') return text
  throw new UserError('Nothing says what should change.', 'Say it: treadle spec revise <slug> "..."', 2)
}

async function list(client: Client, { json: asJson }: Json): Promise<void> {
  const { items } = await client.listSpecifications()
  if (asJson) return printJson(items)
  if (items.length === 0) return print('No specifications yet. Make one: treadle spec generate <idea>')
  const now = Date.now()
  const rows = items.map((spec) => [
    spec.slug,
    spec.status,
    String(spec.revision),
    String(spec.tasks.length),
    stateWords(spec),
    timeAgo(spec.generatedAt, now),
  ])
  print(
    listing(['SLUG', 'STATUS', 'REVISION', 'TASKS', 'VALIDATION', 'GENERATED'], rows, {
      drop: ['GENERATED', 'STATUS'],
      whole: ['SLUG'],
    }),
  )
}

interface Engined {
  readonly engine?: string
}

function named({ engine }: Engined): Engined {
  return engine === undefined ? {} : { engine }
}

interface Generating extends Json, Engined {
  readonly wait: number
  readonly full?: boolean
  readonly user?: string
}

async function generate(client: Client, slug: string, options: Generating): Promise<SpecificationView> {
  const targetComplexity: TargetComplexity = options.full ? 'full' : 'mvp'
  const body = {
    ideaSlug: slug,
    options: { targetComplexity },
    by: callerName(),
    ...named(options),
    ...(options.user === undefined ? {} : { userSlug: options.user }),
  }
  return untilWritten(client, await client.generateSpecification({ body }), options)
}

interface Approving extends Json {
  readonly revision?: number
  readonly validation?: ValidationLevel
}

async function approve(client: Client, slug: string, options: Approving): Promise<void> {
  const { revision, validation } = options
  const body = {
    by: callerName(),
    ...(revision === undefined ? {} : { revision }),
    ...(validation === undefined ? {} : { validation }),
  }
  try {
    const spec = await client.approveSpecification({ params: { id: slug }, body })
    if (options.json) return printJson(spec)
    print(`Revision ${spec.revision} of ${spec.slug} is approved: ${spec.tasks.length} tasks.`)
    print(await buildWords(client, spec))
  } catch (error) {
    const shown = error instanceof ApiError ? differenceIn(error.details) : []
    if (shown.length === 0 || options.json || !(error instanceof ApiError)) throw error
    // The difference is for the eyes of whoever approves; the error stands below it.
    for (const line of shown) print(coloured(plainText(line)))
    throw new UserError(error.message.split('\n')[0] ?? error.message, error.hint)
  }
}

/** What begins with the approval; with no agent running, that is said as well. */
async function buildWords(client: Client, { slug }: Specification): Promise<string> {
  const { items } = await client.listAgents()
  const working = items.filter(({ id, status }) => id !== 'review-agent' && !RESTING.has(status))
  const forecast = forecastWords(await client.forecastBuild({ params: { id: slug } }))
  const who =
    working.length === 0
      ? 'no agent runs, so nothing happens before one does: treadle up, or treadle agent start agent-1'
      : `${working.length} agent${working.length === 1 ? '' : 's'} at work`
  return `Its build begins (${who}).\nForecast: ${forecast}.\nFollow it: treadle build show ${slug}; stop it: treadle build stop ${slug}`
}

const RESTING: ReadonlySet<string> = new Set(['stopped', 'failed', 'crashed', 'paused'])

function differenceIn(details: unknown): string[] {
  const { difference } = (details ?? {}) as { difference?: unknown }
  return Array.isArray(difference) ? difference.map(String) : []
}

function coloured(line: string): string {
  if (line.startsWith('+')) return paint('green', line)
  return line.startsWith('-') ? paint('red', line) : line
}

function stateWords({ validation }: Specification): string {
  const { problems, missing } = validation
  if (problems.length > 0) return problems.length === 1 ? '1 problem' : `${problems.length} problems`
  if (missing.length === 0) return 'no problems'
  return missing.length === 1 ? '1 open point' : `${missing.length} open points`
}

/** How much of the brief has come through. */
function shareWords({ validation: { shares } }: Specification): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  return [
    `features ${percent(shares.features)}`,
    `criteria ${percent(shares.criteria)}`,
    `requirements ${percent(shares.requirements)}`,
    `tasks ${percent(shares.tasks)}`,
    `checks ${percent(shares.checks)}`,
  ].join(', ')
}

function show(program: Program, spec: SpecificationView, { json: asJson }: Json): void {
  if (spec.waiting) program.exitCode = EXIT_WAITING
  if (asJson) printJson(spec)
  else showText(spec)
}

function showText(spec: SpecificationView): void {
  const { validation, tasks } = spec
  print(paint('bold', plainText(spec.title)))
  print(
    pairs([
      ['Slug', spec.slug],
      ['Status', `${spec.status}, revision ${spec.revision}, ${spec.complexity}, by ${spec.writtenBy}`],
      ['Documents', `${spec.specPath}, ${spec.tasksPath}`],
      [
        'Effort',
        `${tasks.length} tasks, about ${tasks.reduce((sum, task) => sum + task.estimateHours, 0)} h`,
      ],
      ['Validation', stateWords(spec)],
      ['Covered', shareWords(spec)],
    ]),
  )
  section(
    'Requirements',
    spec.requirements.map(({ id, text }) => `${id}  ${plainText(text)}`),
  )
  section(
    'Done when',
    spec.criteria.map(
      ({ id, text, check }) => `${id}  ${plainText(text)}${check === null ? ' (a person judges)' : ''}`,
    ),
  )
  print(`\n${paint('bold', 'Tasks')}`)
  const rows = tasks.map((task) => [
    task.id,
    task.phase,
    plainText(task.title),
    plainText(task.file),
    task.dependsOn.join(' '),
  ])
  print(
    tasks.length === 0
      ? 'None.'
      : listing(['ID', 'PHASE', 'TASK', 'FILE', 'AFTER'], rows, { drop: ['AFTER'] }),
  )
  section('Problems', validation.problems.map(plainText))
  section('Open points', validation.missing.map(plainText))
  showNext(spec)
}

/** What comes by itself, or what a person may do. */
function showNext({ slug, revision, waiting, waitingWhy, waitingFor }: SpecificationView): void {
  if (waitingFor !== null) {
    print(
      paint('yellow', `\n${flowed(`A model is to write the next revision. ${plainText(waitingFor.words)}`)}`),
    )
    // A line for each command, so that none of them is broken.
    for (const line of waitingFor.hint.split(/\. (?=[A-Z])/)) print(paint('yellow', plainText(line)))
  } else if (!waiting)
    print(
      [
        '',
        `Approve it: treadle spec approve ${slug} --revision ${revision}`,
        `Ask for changes: treadle spec revise ${slug} "..."`,
      ]
        .map((line) => paint('dim', flowed(line)))
        .join('\n'),
    )
  else {
    const why = waitingWhy === null ? '' : `: ${plainText(waitingWhy)}`
    print(
      paint(
        'yellow',
        flowed(`\nA model is still writing it${why}. What it writes will be in: treadle spec show ${slug}`),
      ),
    )
  }
}

function section(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  print(`\n${paint('bold', title)}`)
  for (const line of lines) print(flowed(`  ${line}`, { hang: 2 }))
}
