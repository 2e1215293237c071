// The inbox of questions, answering them, and what is answered for you from then on.
import { createInterface } from 'node:readline/promises'
import type { Client } from '@treadle/contracts/client'
import type { QuestionRecord, QuestionType } from '@treadle/contracts/question'
import { waitingWords } from '@treadle/contracts/words/plan'
import { timeAgo } from '@treadle/contracts/words/time'
import { callerName } from '../caller-name.ts'
import { clip, paint, print, printJson, tell } from '../output.ts'
import { asNumber, gather, json, type Program, project, refuseMore, withClient } from '../program.ts'
import { inboxHead, type QuestionView, questionView } from '../questions/question-text.ts'
import { listing } from '../terminal/listing.ts'
import { UserError } from '../user-error.ts'

interface Json {
  readonly json?: boolean
}

const ALL_MAX = 1_000
const ITEMS_MAX = 5_000
const TRIES_MAX = 5

export function questionCommands(program: Program): void {
  const questions = program.root.command('questions')
  questions
    .command('list', { isDefault: true })
    .description('open questions, those that hold somebody up first')
    .option('--all', 'also those that are over')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listQuestions(client, options))
    })
  questions
    .command('show')
    .description('one question in full')
    .argument('<question>', 'its number, or its id')
    .addOption(json())
    .action((name, options) => withClient(program, (client) => showQuestion(client, name, options)))
  questions
    .command('ask')
    .description('ask whoever answers questions here, as an agent would: for scripts and tools of your own')
    .argument('<text>', 'the question')
    .option('--option <label>', 'one of the answers to choose from; give it as often as needed', gather, [])
    .option('--default <answer>', 'what holds if nobody answers')
    .option('--blocking', 'it waits for its answer and never expires')
    .option('--from <name>', 'who asks (default: you)')
    .option('--item <n>', 'the item that it is about', asNumber)
    .addOption(project())
    .addOption(json())
    .action((text, options) => withClient(program, (client) => ask(client, text, options)))
  questions
    .command('catalogue')
    .description('what each agent asks, and when')
    .addOption(json())
    .action((options) => withClient(program, (client) => showCatalogue(client, options)))
  program.root
    .command('answer')
    .argument('[question]', 'its number, or its id (default: the one that waits longest)')
    .argument('[answer...]', 'the answer (default: asks you)')
    .addOption(json())
    .action((name, words, options) =>
      withClient(program, (client) => answer(client, { name, words: words.join(' ') }, options)),
    )
  preferenceCommands(program)
}

function preferenceCommands(program: Program): void {
  const preferences = program.root.command('preferences')
  preferences
    .command('list', { isDefault: true })
    .description('what was learned from your answers')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listPreferences(client, options))
    })
  preferences
    .command('forget')
    .description('be asked again')
    .argument('<id>', 'number of the preference', asNumber)
    .addOption(json())
    .action((id, options) => withClient(program, (client) => forget(client, id, options)))
}

const shown = (): QuestionView => ({ now: Date.now(), columns: process.stdout.columns ?? null })

async function listQuestions(client: Client, options: Json & { all?: boolean }): Promise<void> {
  const query = options.all ? { limit: ALL_MAX } : { status: 'open' as const, limit: ALL_MAX }
  const { items } = await client.listQuestions({ query })
  if (options.json) return printJson(items)
  const open = items.filter(({ status }) => status === 'open')
  const over = items.filter(({ status }) => status !== 'open')
  if (open.length === 0) print('No questions wait for you.')
  else print([inboxHead(open), ...open.map((question) => questionView(question, shown()))].join('\n\n'))
  if (over.length === 0) return
  print(`\n${paint('dim', 'OVER')}`)
  const cells = over.map(({ number, agent, status, text, answer }) => [
    String(number),
    agent,
    status,
    text,
    paint('dim', answer?.text ?? ''),
  ])
  print(listing(['#', 'ASKED BY', 'STATUS', 'QUESTION', 'ANSWER'], cells, { drop: ['ASKED BY'] }))
}

interface AskOptions extends Json {
  readonly option: string[]
  readonly default?: string
  readonly blocking?: boolean
  readonly from?: string
  readonly item?: number
  readonly project: number
}

/** Words of one's own may be given too, unless there are answers to choose from. */
async function ask(client: Client, text: string, options: AskOptions): Promise<void> {
  const asked = await client.askQuestion({
    body: {
      type: typeOf(options),
      agent: options.from ?? callerName(),
      text,
      options: options.option.map((label) => ({ label })),
      allowFreeText: options.option.length === 0,
      ...(options.default === undefined ? {} : { defaultOption: options.default }),
      ...(options.item === undefined
        ? {}
        : { item: { projectNumber: options.project, number: options.item } }),
    },
  })
  if (options.json) return printJson(asked)
  if (asked.question === null) return print(`Nobody was asked: ${asked.why}`)
  print(questionView(asked.question, shown()))
}

function typeOf({ blocking, default: fallback }: AskOptions): QuestionType {
  if (blocking) return 'blocking'
  return fallback === undefined ? 'confirming' : 'clarifying'
}

/** Finds a question by its number or the beginning of its id; open ones go first. */
async function find(client: Client, name: string): Promise<QuestionRecord> {
  const { items } = await client.listQuestions({ query: { limit: ALL_MAX } })
  const wanted = name.replace(/^#/, '').toLowerCase()
  const numbered = items.find(({ number }) => String(number) === wanted)
  if (numbered !== undefined) return numbered
  const begun = wanted.length < 4 ? [] : items.filter(({ id }) => id.startsWith(wanted))
  const [only] = begun
  if (only !== undefined && begun.length === 1) return only
  throw new UserError(
    begun.length > 1 ? `More than one question begins with ${name}.` : `There is no question ${name}.`,
    'treadle questions lists those that are open, --all the others too.',
  )
}

async function showQuestion(client: Client, name: string, options: Json): Promise<void> {
  const question = await find(client, name)
  if (options.json) return printJson(question)
  print(questionView(question, { ...shown(), whole: true }))
}

async function answer(
  client: Client,
  { name, words }: { name: string | undefined; words: string },
  options: Json,
): Promise<void> {
  const question = name === undefined ? await firstOpen(client) : await find(client, name)
  if (question === null) return options.json ? printJson(null) : print('No questions wait for you.')
  const given = words.trim() === '' ? null : words
  const answered = given === null ? await askFor(client, question) : await give(client, question, given)
  if (options.json) return printJson(answered)
  print(`${paint('green', 'Answered')} question ${answered.number}: ${answered.answer?.text ?? ''}`)
  const waiting = await waitingNow(client, answered)
  if (waiting !== null) print(waiting)
  const at = answered.answer?.at
  const learned = (await client.listPreferences({})).items.find(({ learnedAt }) => learnedAt === at)
  if (learned !== undefined)
    print(
      paint(
        'dim',
        `From now on it is answered for you. To be asked again: treadle preferences forget ${learned.id}`,
      ),
    )
}

async function firstOpen(client: Client): Promise<QuestionRecord | null> {
  const { items } = await client.listQuestions({ query: { status: 'open', limit: 1 } })
  return items[0] ?? null
}

/** What waits for the item, if the answer has withdrawn it. */
async function waitingNow(client: Client, { item }: QuestionRecord): Promise<string | null> {
  if (item === null) return null
  const { projectNumber, number } = item
  const { items } = await client.listItems({ query: { projectNumber, limit: ITEMS_MAX } })
  if (items.find((each) => each.number === number)?.state !== 'withdrawn') return null
  return waitingWords(items.filter(({ blockedBy }) => blockedBy.includes(number)).map((each) => each.number))
}

function give(client: Client, { id }: QuestionRecord, text: string): Promise<QuestionRecord> {
  return client.answerQuestion({ params: { id }, body: { text, by: callerName() } })
}

/** Asks on a terminal until the answer fits; without a terminal there is nobody to ask. */
async function askFor(client: Client, question: QuestionRecord): Promise<QuestionRecord> {
  const { number, status, options } = question
  if (status !== 'open')
    throw new UserError(`Question ${number} is over.`, `treadle questions show ${number}`)
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError('There is no answer.', `treadle answer ${number} "…"`, 2)
  tell(`${questionView(question, { ...shown(), whole: true, isAsking: true })}\n`)
  const what = options.length === 0 ? 'Your answer: ' : `Your answer (1 to ${options.length}, or words): `
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const line = await readLine(what)
    if (line === null) break
    if (line.trim() === '') continue
    try {
      return await give(client, question, line)
    } catch (error) {
      if (!isBadAnswer(error)) throw error
      tell(paint('yellow', error.message))
    }
  }
  throw new UserError('Nothing was answered.')
}

function isBadAnswer(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && error.status === 400
}

/** A line that was typed; null if the input has ended. */
async function readLine(prompt: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<null>((done) => lines.once('close', () => done(null)))
  try {
    return await Promise.race([lines.question(prompt), ended])
  } finally {
    lines.close()
  }
}

async function listPreferences(client: Client, options: Json): Promise<void> {
  const { items } = await client.listPreferences({})
  if (options.json) return printJson(items)
  if (items.length === 0) return print('Nothing has been learned from your answers yet.')
  const heads = ['ID', 'QUESTION', 'YOUR ANSWER', 'LEARNED', 'USED']
  const cells = items.map(({ id, text, answer: given, learnedAt, used }) => [
    String(id),
    text,
    given,
    timeAgo(learnedAt, Date.now()),
    usedWords(used),
  ])
  print(
    `${listing(heads, cells, { drop: ['USED'] })}\n\n${paint('dim', 'To be asked again: treadle preferences forget <id>')}`,
  )
}

function usedWords(times: number): string {
  if (times === 0) return 'not yet'
  return times === 1 ? 'once' : `${times} times`
}

async function forget(client: Client, id: number, options: Json): Promise<void> {
  const forgotten = await client.forgetPreference({ params: { id } })
  if (options.json) return printJson(forgotten)
  print(`Preference ${id} is forgotten; you will be asked again.`)
}

async function showCatalogue(client: Client, options: Json): Promise<void> {
  const { items } = await client.questionCatalogue()
  if (options.json) return printJson(items)
  const heads = ['AGENT', 'EVENT', 'TYPE', 'ASKED', 'QUESTION']
  const cells = items.flatMap(({ agent, event, phase, condition, questions }) =>
    questions.map(({ type, text }) => [
      agent,
      event,
      type,
      condition ?? (phase === null ? 'always' : `in ${phase}`),
      text,
    ]),
  )
  print(listing(heads, cells, { drop: ['TYPE', 'ASKED'] }))
}

/** Lines at the top of `treadle status`: agents that wait for an answer. */
export function heldUpLines(open: readonly QuestionRecord[]): string[] {
  const mark = paint(['bgYellow', 'black'], ' WAITS FOR YOU ')
  return open
    .filter(({ blocking }) => blocking)
    .map(({ number, agent, item, text }) => {
      const about = item === null ? '' : ` about #${item.number}`
      return `${mark} ${agent}${about}: ${clip(text, 80)}\n  treadle answer ${number}`
    })
}
