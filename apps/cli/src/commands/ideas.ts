// Ideas: from a sentence to a brief, in a talk.
import { randomUUID } from 'node:crypto'
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import { timeAgo } from '@treadle/contracts/words/time'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { cardLines, ideaText, replyLines } from '../ideas/idea-text.ts'
import type { LiveText } from '../ideas/live-text.ts'
import { listOwnIdeas } from '../ideas/own-ideas.ts'
import { talk } from '../ideas/talk-screen.ts'
import { untilReply } from '../ideas/until-reply.ts'
import { paint, print, printJson } from '../output.ts'
import { json, type Program, wait, withClient } from '../program.ts'
import { asSlug } from '../slug.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'

interface Json {
  readonly json?: boolean
}

interface Waiting extends Json {
  readonly wait?: number
}

const ALL_MAX = 1_000
/** Waits for somebody else than whoever runs the command. */
const EXIT_WAITING = 3

export function ideaCommands(program: Program): void {
  const ideas = program.root.command('idea')
  ideas
    .command('begin', { isDefault: true })
    .description('begin a talk in the terminal; without a sentence, list ideas')
    .argument('[sentence]', 'what it is about, in quotes')
    .option('--engine <name>', 'who answers; none: an interview')
    .addOption(json())
    .action((sentence, options) => {
      // A misspelt command ends up here; a sentence has more than one word.
      if (sentence !== undefined && /^\S+$/.test(sentence.trim()))
        ideas.error(`error: unknown command '${sentence}'; an idea is a sentence in quotes`)
      return withClient(program, async (client) => {
        if (sentence === undefined) return listIdeas(client, options)
        await talk(client, await begin(client, sentence, options), { json: options.json === true })
      })
    })
  ideas
    .command('new')
    .description('begin an idea without a talk in the terminal, for programs')
    .argument('<sentence>', 'what it is about')
    .option('--engine <name>', 'who answers; none: an interview')
    .addOption(wait())
    .addOption(json())
    .action((sentence, options) =>
      withClient(program, async (client) => show(program, await begin(client, sentence, options), options)),
    )
  ideas
    .command('list')
    .description('ideas, the last changed first')
    .addOption(
      new Option('--source <source>', 'person: talks; category: what the crew thought of itself')
        .choices(['person', 'category'] as const)
        .default('person' as const),
    )
    .addOption(json())
    .action((options) =>
      withClient(program, (client) =>
        options.source === 'category' ? listOwnIdeas(client, options) : listIdeas(client, options),
      ),
    )
  talkCommands(program, ideas)
  readCommands(program, ideas)
}

type Group = ReturnType<Program['root']['command']>

function talkCommands(program: Program, ideas: Group): void {
  ideas
    .command('talk')
    .description('go on with a talk in the terminal')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) =>
        talk(client, await opened(client, slug, options), { json: options.json === true }),
      ),
    )
  ideas
    .command('say')
    .description('say something; in an interview it answers the first question that is open')
    .argument('<slug>', 'the idea', asSlug)
    .argument('<text>', 'what you say')
    .option('--engine <name>', 'who answers from now on; none: an interview')
    .addOption(wait())
    .addOption(json())
    .action((slug, text, options) =>
      withClient(program, async (client) => {
        const { engine } = options
        const named = engine === undefined ? {} : { engine }
        const words = needWords(text, `Say something: treadle idea say ${slug} "…"`)
        const body = { text: words, by: callerName(), messageId: randomUUID(), ...named }
        const said = await client.sayToIdea({ params: { id: slug }, body })
        show(
          program,
          await untilReply(client, said, { isQuiet: options.json === true, wait: options.wait }),
          options,
        )
      }),
    )
  ideas
    .command('stop')
    .description('stop the reply that is being written')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) => withClient(program, async (client) => stop(client, slug, options)))
}

function readCommands(program: Program, ideas: Group): void {
  ideas
    .command('show')
    .description('what was understood so far, what is missing, and what is asked')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(wait())
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) => {
        show(program, await opened(client, slug, options), options)
      }),
    )
  ideas
    .command('artifacts')
    .description('what was understood, and how sure that is')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) => {
        const view = await client.showIdea({ params: { id: slug } })
        const { artifacts, decisions, risks, confidence, documents } = view
        if (options.json) return printJson({ slug, artifacts, decisions, risks, confidence, documents })
        const lines = cardLines(view)
        print(lines.length === 0 ? 'Nothing was understood yet.' : lines.join('\n'))
      }),
    )
  ideas
    .command('brief')
    .description('the brief as it stands in the repository, hand edits included')
    .argument('<slug>', 'the idea', asSlug)
    .addOption(json())
    .action((slug, options) =>
      withClient(program, async (client) => {
        const brief = await client.ideaBrief({ params: { id: slug } })
        if (options.json) return printJson(brief)
        print(plainText(brief.text).trimEnd())
      }),
    )
}

function needWords(text: string, hint: string): string {
  if (text.trim() !== '') return text
  throw new UserError('There are no words in it.', hint, 2)
}

async function begin(
  client: Client,
  text: string,
  { engine, json: isQuiet = false, wait: seconds }: Waiting & { engine?: string },
): Promise<LiveText<IdeaView>> {
  const named = engine === undefined ? {} : { engine }
  const words = needWords(
    text,
    'Say what the idea is, in quotes: treadle idea "An offline-first shopping list"',
  )
  const body = { text: words, by: callerName(), messageId: randomUUID(), ...named }
  return untilReply(client, await client.startIdea({ body }), { isQuiet, ...waitOf(seconds) })
}

/** The idea as it stands, with the reply that is being written. */
async function opened(
  client: Client,
  id: string,
  { json: isQuiet = false, wait: seconds }: Waiting,
): Promise<LiveText<IdeaView>> {
  return untilReply(client, await client.showIdea({ params: { id } }), { isQuiet, ...waitOf(seconds) })
}

/** A talk waits as long as replies usually take. */
function waitOf(seconds: number | undefined): { wait?: number } {
  return seconds === undefined ? {} : { wait: seconds }
}

async function stop(client: Client, subject: string, options: Json): Promise<void> {
  await client.showIdea({ params: { id: subject } })
  const { items } = await client.openThoughts({ query: { subject } })
  for (const { id } of items) await client.withdrawThought({ params: { id }, body: { by: callerName() } })
  if (options.json) return printJson({ slug: subject, stopped: items.map(({ id }) => id) })
  print(
    items.length === 0
      ? 'Nothing is being written about it.'
      : `It was stopped. Go on with: treadle idea say ${subject} "…"`,
  )
}

function show(program: Program, { result: view, shown }: LiveText<IdeaView>, options: Json): void {
  if (view.waiting) program.exitCode = EXIT_WAITING
  if (options.json) {
    printJson(view)
    return
  }
  for (const line of replyLines(view, shown)) print(`${line}\n`)
  if (shown !== '') print('')
  print(ideaText(view))
  if (view.waiting)
    print(paint('yellow', `There is no reply yet. It will be in: treadle idea show ${view.slug}`))
  else if (view.questions.length > 0) print(paint('dim', `treadle idea say ${view.slug} "…"`))
}

async function listIdeas(client: Client, options: Json): Promise<void> {
  const { items } = await client.listIdeas({ query: { limit: ALL_MAX } })
  if (options.json) return printJson(items)
  if (items.length === 0)
    return print('No ideas yet. Begin with: treadle idea "An offline-first shopping list"')
  const cells = items.map(({ slug, phase, confidence, title, updatedAt }) => [
    slug,
    phase,
    `${Math.round(confidence * 100)} %`,
    plainText(title),
    paint('dim', timeAgo(updatedAt, Date.now())),
  ])
  print(
    listing(['IDEA', 'PHASE', 'SURE', 'SENTENCE', 'CHANGED'], cells, {
      drop: ['CHANGED', 'SURE', 'SENTENCE'],
      whole: ['IDEA'],
    }),
  )
}
