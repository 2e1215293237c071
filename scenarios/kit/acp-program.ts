// A program that speaks ACP by the protocol's own library and does what a test tells it: it asks by forms, edits, and
// writes down what it was told and what it was set to.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACP_LIBRARY } from '@treadle/engines/testing/acp-library'
import type { Workspace } from './workspace.ts'

interface AcpTurn {
  /** What it was told in this turn. */
  readonly text: string
  /** Puts a form to whoever is at the other end, by a schema of its fields. */
  ask(message: string, requestedSchema: object): Promise<unknown>
  edit(file: string, from: string, to: string): void
}

/** What a person, or the crew, has let the program know. */
interface AcpHeard {
  readonly prompts: readonly string[]
  /** The answers to its forms, as they came over the line. */
  readonly answers: readonly unknown[]
  readonly options: Readonly<Record<string, string>>
}

interface AcpProgram {
  /** How hard it may be told to think; left out: it has no such setting. */
  readonly levels?: readonly string[]
  /** Runs in the program, so that it can use nothing but what it is given. Its answer is what the model says. */
  readonly body: (turn: AcpTurn) => Promise<string>
}

/** Has the agents of a workspace work with the program. */
export function acpProgram(workspace: Workspace, { levels = [], body }: AcpProgram) {
  const { home, root, git } = workspace
  const [file, heard] = [join(home, 'acp-program.mjs'), join(home, 'acp-heard.json')]
  writeFileSync(heard, JSON.stringify({ prompts: [], answers: [], options: {} } satisfies AcpHeard))
  writeFileSync(file, source({ heard, levels, body }))
  const settings = join(root, 'treadle.json')
  const given = JSON.parse(readFileSync(settings, 'utf8')) as object
  const engines = { default: 'acp', acp: { command: [process.execPath, file] } }
  writeFileSync(settings, `${JSON.stringify({ ...given, engines }, null, 2)}\n`)
  git('commit', '--quiet', '--all', '--message', 'use the program')
  return { heard: () => JSON.parse(readFileSync(heard, 'utf8')) as AcpHeard }
}

function source({ heard, levels, body }: Required<AcpProgram> & { heard: string }): string {
  return `
import { readFileSync, writeFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream } from ${JSON.stringify(ACP_LIBRARY)}
const LEVELS = ${JSON.stringify(levels)}
const HEARD = ${JSON.stringify(heard)}
const body = ${body.toString()}
const keep = (change) => {
  const known = JSON.parse(readFileSync(HEARD, 'utf8'))
  change(known)
  writeFileSync(HEARD, JSON.stringify(known))
}
let level = LEVELS.at(-1)
const options = () => LEVELS.length === 0 ? [] : [{ type: 'select', id: 'thinking', name: 'Thinking', category: 'thought_level',
  currentValue: level, options: LEVELS.map((value) => ({ value, name: value })) }]
const edit = (file, from, to) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
agent({ name: 'double' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: false } }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 'talk-1', configOptions: options() }))
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    level = params.value
    keep((known) => { known.options[params.configId] = params.value })
    return { configOptions: options() }
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const text = params.prompt.map((block) => block.text ?? '').join('')
    keep((known) => known.prompts.push(text))
    const ask = async (message, requestedSchema) => {
      const answer = await client.request(methods.client.elicitation.create, { sessionId: params.sessionId, mode: 'form', message, requestedSchema })
      keep((known) => known.answers.push(answer))
      return answer
    }
    const said = await body({ text, ask, edit })
    await client.notify(methods.client.session.update, { sessionId: params.sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } } })
    return { stopReason: 'end_turn', usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110 } }
  })
  .onNotification(methods.agent.session.cancel, () => process.exit(0))
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
`
}
