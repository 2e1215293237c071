// What the model server does, by a tag in the prompt: `[[s:edit]]`, `[[s:status 429]]`. Nothing is kept between two
// requests, so that requests beside the work and restarts change nothing.
import { type Dialect, dialectOf } from './dialect.ts'
import { isRecord, type ModelMessage, type ModelReply, type ModelRequest } from './exchange.ts'

interface Scene {
  /** Answers since the tag. */
  readonly turn: number
  readonly argument: string
  readonly dialect: Dialect
  /** What was said and found since the tag. */
  readonly since: readonly ModelMessage[]
  readonly request: ModelRequest
}

type Scenario = (scene: Scene) => ModelReply

const TAG = /\[\[s:([a-z-]+)(?: ([^\]]*))?\]\]/g
const DEAR = 200_000

const scenarios: Readonly<Record<string, Scenario>> = {
  /** Reads, edits and tests; each request costs what the numbers below say. */
  edit: ({ turn, dialect }) => {
    const deeds = [
      dialect.read('sum.mjs'),
      dialect.edit({ path: 'sum.mjs', from: 'a - b', to: 'a + b' }),
      dialect.run('node test.mjs'),
    ]
    const usage = { input: 300, output: 60, cacheRead: turn * 1_000, cacheWrite: turn === 0 ? 1_000 : 0 }
    return act(deeds, turn, { text: 'Done: the test passes.', usage })
  },
  /** Adds a file of this name with a function in it, and another that tries it. */
  add: ({ turn, dialect, argument: name }) => {
    const deeds = [
      dialect.read('test.mjs'),
      dialect.run(`printf 'export const ${name} = (a) => a * 2\\n' > ${name}.mjs`),
      dialect.run(
        `printf "import { ${name} } from './${name}.mjs'\\nif (${name}(4) !== 8) process.exit(4)\\n" > ${name}.check.mjs`,
      ),
      dialect.run('node test.mjs'),
    ]
    return act(deeds, turn, { text: 'Done: the function is there, and its test passes.' })
  },
  /** Does what it will be refused, and repeats what it was told. */
  guide: ({ turn, dialect, since }) =>
    act([dialect.run('rm -rf build')], turn, { text: `Heard: ${resultsIn(since)} ${wordsIn(since)}` }),
  form: ({ turn, dialect, since }) => {
    const asked = dialect.ask({ question: 'Which way?', options: ['left', 'right'] })
    if (asked === null) return { text: 'Nobody can be asked.' }
    return act([asked], turn, { text: `Heard: ${resultsIn(since)}` })
  },
  two: ({ turn, dialect }) =>
    act([dialect.run('touch one'), dialect.run('touch two')], turn, { text: 'Two.' }),
  /** A command that does not end, and says who it is. */
  long: ({ turn, dialect }) =>
    act([dialect.run('node wait.mjs')], turn, { text: 'It has ended.', usage: { input: 500 } }),
  steer: ({ turn, dialect, since }) =>
    act([dialect.run('node wait.mjs 2000')], turn, { text: `Heard: ${resultsIn(since)} ${wordsIn(since)}` }),
  run: ({ turn, dialect, argument, since }) =>
    act([dialect.run(argument)], turn, { text: `Heard: ${resultsIn(since)}` }),
  loop: ({ turn, dialect }) => ({ toolCalls: [dialect.run(`echo round ${turn}`)] }),
  dear: ({ turn, dialect }) => ({ toolCalls: [dialect.run(`echo dear ${turn}`)], usage: { input: DEAR } }),
  structured: () => ({ structured: { answer: 42 } }),
  /** Tells what it knows from before. */
  recall: ({ request }) => ({ text: `I know of ${tagsIn(request.messages).join(', ')}.` }),
  status: ({ argument }) => {
    const status = Number(argument)
    return { fault: { is: 'status', status, ...(status === 429 ? { retryAfterSeconds: 1 } : {}) } }
  },
  cut: () => ({ text: 'This will not arrive as a whole.', fault: { is: 'cut' } }),
  silent: () => ({ fault: { is: 'silent' } }),
  slow: ({ argument }) => ({ text: 'Late.', delayMs: Number(argument) }),
  say: ({ argument }) => ({ text: argument }),
}

/** The answer to a request, by the last tag that a person's words carry. */
export function playScenario(request: ModelRequest): ModelReply {
  const at = request.messages.findLastIndex(({ role, text }) => role === 'user' && text.match(TAG) !== null)
  const tagged = [...(request.messages[at]?.text.matchAll(TAG) ?? [])].at(-1)
  const dialect = dialectOf(request)
  const scenario = scenarios[tagged?.[1] ?? '']
  // A program asks beside the work, with a form of its own for the answer: for a title, or how hard the work is.
  if (request.schema !== null && scenario !== scenarios.structured)
    return { structured: likeSchema(request.schema) }
  if (dialect === null || scenario === undefined) return { text: 'ok' }
  const since = request.messages.slice(at)
  const turn = since.filter(({ role }) => role === 'assistant').length
  return scenario({ turn, argument: tagged?.[2] ?? '', dialect, since, request })
}

/** Something that keeps to a schema. */
function likeSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return null
  const { type, properties, items, enum: choices } = schema
  if (Array.isArray(choices)) return choices[0]
  switch (String(type).toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(isRecord(properties) ? properties : {}).map(([name, each]) => [
          name,
          likeSchema(each),
        ]),
      )
    case 'array':
      return [likeSchema(items)]
    case 'integer':
    case 'number':
      return 50
    case 'boolean':
      return true
    default:
      return 'sums'
  }
}

type Deeds = NonNullable<ModelReply['toolCalls']>

/** One deed for each answer, then the end. */
function act(deeds: Deeds, turn: number, { text, usage }: { text: string; usage?: ModelReply['usage'] }) {
  const deed = deeds[turn]
  const cost = usage === undefined ? {} : { usage }
  return deed === undefined ? { text, ...cost } : { toolCalls: [deed], ...cost }
}

const resultsIn = (since: readonly ModelMessage[]) =>
  since.flatMap(({ results }) => results.map(({ text }) => text)).join(' ')

/** What people said after the request itself. */
const wordsIn = (since: readonly ModelMessage[]) =>
  since
    .slice(1)
    .flatMap(({ role, text }) => (role === 'user' ? [text] : []))
    .join(' ')

const tagsIn = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ role, text }) => (role === 'user' ? [...text.matchAll(TAG)].map((tag) => tag[1]) : []))
