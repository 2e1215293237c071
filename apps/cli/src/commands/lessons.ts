// Commands about lessons: look at them, add, correct, export and import.
import type { Client } from '@treadle/contracts/client'
import { type Lesson, LessonType, LessonVerdict, type Recorded } from '@treadle/contracts/lesson'
import { InvalidArgumentError, Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { readLessons, writeLessons } from '../lessons/lesson-files.ts'
import { type KnownLesson, lessonsTable, lessonText, saidOf } from '../lessons/lesson-text.ts'
import { clip, paint, print, printJson } from '../output.ts'
import { asCount, json, type Program, refuseMore, withClient } from '../program.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'

interface Json {
  readonly json?: boolean
}
interface Filter extends Json {
  readonly type?: LessonType
  readonly verdict?: LessonVerdict
  readonly topic?: string
  readonly path?: string
  readonly text?: string
  readonly like?: string
  readonly all?: boolean
}

const PAGE = 500
/** Bytes of lessons in one request, with room for the rest of it. */
const SENT_BYTES_MAX = 700_000
const SENT_MAX = 200
const FOLDER = 'treadle-lessons'

export function lessonCommands(program: Program): void {
  const lessons = program.root.command('lessons')
  listCommand(program, lessons)
  lessons
    .command('show')
    .description('one lesson: what it says, the run and commit it comes from, how its trial stands')
    .argument('<id>', 'its id, or the first characters of it', asId)
    .addOption(json())
    .action((id, options) => withClient(program, (client) => showLesson(client, id, options)))
  addCommand(program, lessons)
  lessons
    .command('confirm')
    .description('a lesson holds: what only a model said is told to runs from now on')
    .argument('<id>', 'its id, or the first characters of it', asId)
    .addOption(json())
    .action((id, options) => withClient(program, (client) => confirmLesson(client, id, options)))
  lessons
    .command('supersede')
    .description('a lesson no longer holds: it is kept, and not told any more')
    .argument('<id>', 'its id, or the first characters of it', asId)
    .addOption(new Option('--by <id>', 'the lesson that says it better').argParser(asId))
    .requiredOption('--why <words>', 'the reason, for whoever looks later')
    .addOption(json())
    .action((id, options) => withClient(program, (client) => supersede(client, id, options)))
  fileCommands(program, lessons)
}

type Group = ReturnType<Program['root']['command']>

function listCommand(program: Program, lessons: Group): void {
  lessons
    .command('list', { isDefault: true })
    .description('what is known, the newest first')
    .addOption(new Option('--type <type>', 'only these').choices(LessonType.options))
    .addOption(
      new Option('--verdict <verdict>', 'only what the trial says this of').choices(LessonVerdict.options),
    )
    .option('--topic <topic>', 'only what is about this topic')
    .option('--path <file>', 'only what is about this file, the best fitting first')
    .option('--text <words>', 'only what has these words')
    .addOption(
      new Option('--like <error>', 'what answers an error like this one').conflicts(['all', 'verdict']),
    )
    .option('--all', 'also what is superseded or retired')
    .addOption(json())
    .allowExcessArguments()
    .addHelpText(
      'after',
      '\nSURE is how much the lesson is trusted. VERDICT and UPLIFT come from the trial: some runs are not told it,' +
        '\nand UPLIFT is how many more of a hundred runs pass at the first attempt with it, with an 80 % interval.',
    )
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listLessons(client, options as Filter))
    })
}

function addCommand(program: Program, lessons: Group): void {
  lessons
    .command('add')
    .description('record something that was learned; what is known already is counted instead')
    .argument('<words...>', 'the lesson, in a sentence')
    .addOption(new Option('--type <type>', 'what it is').choices(LessonType.options).default('gotcha'))
    .option('--path <glob>', 'the files it is about, such as "*.sql" or "src/db/**"')
    .option('--action <action>', 'what one is doing when it matters, such as build')
    .option('--topic <topic>', 'what it is about')
    .option('--error <signature>', 'the error that it answers')
    .addOption(new Option('--confidence <share>', 'how sure, from 0 to 1').argParser(asShare).default(0.7))
    .option('--run <id>', 'the run that taught it')
    .addOption(new Option('--attempt <n>', 'its attempt').argParser(asCount(1_000)))
    .option('--commit <id>', 'the commit that shows it, as a full id')
    .option('--item <project/number>', 'the item at which it was seen')
    .option('--by <name>', 'who found it, such as agent-1')
    .addOption(json())
    .action((words: string[], options) =>
      withClient(program, (client) => addLesson(client, words.join(' '), options)),
    )
}

function fileCommands(program: Program, lessons: Group): void {
  lessons
    .command('export')
    .description('all lessons as Markdown files with front matter, one each')
    .argument('[folder]', 'where to; made if it is not there', FOLDER)
    .addOption(json())
    .action((folder, options) => withClient(program, (client) => exportLessons(client, folder, options)))
  lessons
    .command('import')
    .description('take in exported files, or some written by hand; what is known already is left alone')
    .argument('<folder>', 'a folder or one Markdown file')
    .addOption(json())
    .addHelpText('after', '\nBy hand: a line ---, then "type: gotcha", a line ---, and the lesson below it.')
    .action((place, options) =>
      withClient(program, async (client) => {
        program.exitCode = await importLessons(client, place, options)
      }),
    )
}

function asId(text: string): string {
  if (!/^[0-9a-f-]{4,36}$/i.test(text))
    throw new InvalidArgumentError('must be the id of a lesson, or at least its first 4 characters.')
  return text.toLowerCase()
}

function asShare(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('must be from 0 to 1.')
  return value
}

async function listLessons(client: Client, options: Filter): Promise<void> {
  const known =
    options.like === undefined ? await allLessons(client, options) : await likeLessons(client, options)
  if (options.json) return printJson(known)
  if (known.length === 0) return print(emptyWords(options))
  print(lessonsTable(known))
  print(paint('dim', `More about one: treadle lessons show ${known[0]?.lesson.id.slice(0, 8)}`))
}

function emptyWords({ type, verdict, topic, path, text, like }: Filter): string {
  return [type, verdict, topic, path, text, like].every((each) => each === undefined)
    ? 'No lessons yet. Runs add some; or: treadle lessons add "..."'
    : 'Nothing that is known fits.'
}

async function allLessons(client: Client, filter: Filter): Promise<KnownLesson[]> {
  const { type, verdict, topic, path, text } = filter
  const known: KnownLesson[] = []
  for (;;) {
    const after = known.at(-1)?.lesson.id
    const all = filter.all ? ('true' as const) : undefined
    const query = { type, verdict, topic, path, text, all, after, limit: PAGE }
    const { items } = await client.listLessons({ query })
    known.push(...items)
    // Lessons about a file come in the order of how well they fit, which has no next page.
    if (items.length < PAGE || path !== undefined) return known
  }
}

async function likeLessons(client: Client, { like, type, topic, path }: Filter): Promise<KnownLesson[]> {
  const query = {
    similarTo: like,
    type,
    topic,
    path,
    minConfidence: 0,
    unconfirmed: 'included' as const,
    limit: 20,
  }
  const { items } = await client.recallLessons({ query })
  return Promise.all(items.map(({ id }) => client.showLesson({ params: { id } })))
}

async function showLesson(client: Client, id: string, options: Json): Promise<void> {
  const known = await client.showLesson({ params: { id } })
  if (options.json) return printJson(known)
  print(lessonText(known))
}

interface Added extends Json {
  readonly type: LessonType
  readonly path?: string
  readonly action?: string
  readonly topic?: string
  readonly error?: string
  readonly confidence: number
  readonly run?: string
  readonly attempt?: number
  readonly commit?: string
  readonly item?: string
  readonly by?: string
}

async function addLesson(client: Client, content: string, options: Added): Promise<void> {
  if (content.trim() === '') throw new UserError('The lesson has no words.', 'Say it in a sentence.', 2)
  const { run, attempt, commit, item } = options
  const recorded = await client.recordLesson({
    body: {
      type: options.type,
      content,
      glob: options.path ?? null,
      action: options.action ?? null,
      topic: options.topic ?? null,
      signature: options.error ?? null,
      confidence: options.confidence,
      discoveredBy: options.by ?? callerName(),
      provenance: { runId: run ?? null, attempt: attempt ?? null, commit: commit ?? null },
      ...(item === undefined ? {} : { seenAt: item.includes('/') ? item : `1/${item.replace(/^#/, '')}` }),
    },
  })
  if (options.json) return printJson(recorded)
  print(recordedWords(recorded))
}

function recordedWords(recorded: Recorded): string {
  const { lesson } = recorded
  const id = lesson.id.slice(0, 8)
  switch (recorded.is) {
    case 'recorded':
      return `Recorded as ${id}.`
    case 'seen_again':
      return lesson.supersededAt === null
        ? `Known as ${id}; seen ${lesson.occurrences} times by now.`
        : `Known as ${id}, and superseded: ${whyOf(lesson)}. It stays so.`
    case 'superseding':
      return `Recorded as ${id}, in the place of ${recorded.old.id.slice(0, 8)}: ${clip(saidOf(recorded.old), 60)}`
    case 'known_better':
      return lesson.verdict === 'retired'
        ? `Known as ${id}, and retired, so that no run is told it: ${whyOf(lesson)}.`
        : `Known as ${id}, seen ${lesson.occurrences} times by now: ${clip(saidOf(lesson), 60)}`
  }
}

function whyOf({ why }: Pick<Lesson, 'why'>): string {
  return plainText(why ?? 'no reason given')
}

async function confirmLesson(client: Client, id: string, options: Json): Promise<void> {
  const lesson = await client.confirmLesson({ params: { id }, body: {} })
  if (options.json) return printJson(lesson)
  print(`${lesson.id.slice(0, 8)} is told to runs from now on: ${clip(saidOf(lesson), 60)}`)
}

async function supersede(
  client: Client,
  id: string,
  options: Json & { by?: string; why: string },
): Promise<void> {
  const lesson = await client.supersedeLesson({
    params: { id },
    body: { by: options.by ?? null, why: options.why },
  })
  if (options.json) return printJson(lesson)
  print(`${lesson.id.slice(0, 8)} is not told any more: ${whyOf(lesson)}`)
}

async function exportLessons(client: Client, folder: string, options: Json): Promise<void> {
  const lessons = (await allLessons(client, { all: true })).map(({ lesson }) => lesson)
  writeLessons(folder, lessons)
  if (options.json) return printJson({ folder, lessons: lessons.length })
  print(`${counted(lessons.length)} written to ${folder}.`)
}

async function importLessons(client: Client, place: string, options: Json): Promise<number> {
  const { lessons, bad } = readLessons(place, new Date())
  const taken = { restored: 0, known: 0 }
  if (bad.length === 0)
    for (const part of parts(lessons)) {
      const { restored, known } = await client.restoreLessons({ body: { lessons: part } })
      taken.restored += restored
      taken.known += known
    }
  if (options.json) printJson({ ...taken, bad })
  else {
    for (const { file, why } of bad) print(`${file}: ${why}`)
    print(
      bad.length > 0
        ? `Nothing was taken in: ${bad.length} of ${bad.length + lessons.length} files cannot be used.`
        : `${counted(taken.restored)} taken in, ${taken.known} known already.`,
    )
  }
  return bad.length === 0 ? 0 : 1
}

function counted(number: number): string {
  return number === 1 ? '1 lesson' : `${number} lessons`
}

function parts(lessons: readonly Lesson[]): Lesson[][] {
  const made: Lesson[][] = []
  let bytes = 0
  for (const lesson of lessons) {
    const size = Buffer.byteLength(JSON.stringify(lesson)) + 1
    const last = made.at(-1)
    if (last === undefined || last.length >= SENT_MAX || bytes + size > SENT_BYTES_MAX) {
      made.push([lesson])
      bytes = size
    } else {
      last.push(lesson)
      bytes += size
    }
  }
  return made
}
