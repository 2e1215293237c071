// A program that speaks as Claude Code does and does what a test tells it: it keeps its conversations, and writes down
// how it was started and what it was told.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from './workspace.ts'

interface ProgramTurn {
  /** What it was told in this turn. */
  readonly text: string
  /** What it was told before in the same conversation. */
  readonly before: readonly string[]
  readonly schema: object | null
  /** Puts questions to a person with the tool that it has for them. */
  ask(questions: readonly object[]): Promise<{ answers?: Record<string, string>; message?: string }>
  edit(file: string, from: string, to: string): void
  /** Comes up when a file of this name is in the home of the workspace. */
  hold(name: string): Promise<void>
}

export interface StartedTurn {
  readonly session: string
  readonly resumed: boolean
  readonly text: string
  readonly before: readonly string[]
  readonly schema: object | null
}

/**
 * The body runs in the program, so that it can use nothing but what it is given. Its answer is what the model says;
 * `{ fault: 529 }` is a status with which its provider has answered instead.
 */
export type TurnBody = (turn: ProgramTurn) => Promise<string | object>

/** Has the agents of a workspace work with the program. */
export function codingProgram(workspace: Workspace, body: TurnBody) {
  const { home, root, git } = workspace
  const folder = join(home, 'program')
  mkdirSync(join(folder, 'turns'), { recursive: true })
  mkdirSync(join(folder, 'talks'), { recursive: true })
  const path = join(folder, 'claude')
  writeFileSync(path, `#!/usr/bin/env node\n${source(folder, home, body)}`)
  chmodSync(path, 0o755)
  const settings = join(root, 'treadle.json')
  const given = JSON.parse(readFileSync(settings, 'utf8')) as object
  const engines = { default: 'claude-code', 'claude-code': { command: path, login: 'own' } }
  writeFileSync(settings, `${JSON.stringify({ ...given, engines }, null, 2)}\n`)
  git('commit', '--quiet', '--all', '--message', 'use the program')
  /** All its conversations are gone. */
  const forget = () => {
    for (const name of readdirSync(join(folder, 'talks'))) rmSync(join(folder, 'talks', name))
  }
  return { turns: () => turnsIn(folder), forget }
}

function turnsIn(folder: string): StartedTurn[] {
  const files = readdirSync(join(folder, 'turns')).sort()
  return files.map((file) => JSON.parse(readFileSync(join(folder, 'turns', file), 'utf8')) as StartedTurn)
}

function source(folder: string, home: string, body: TurnBody): string {
  return `
const { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { randomUUID } = require('node:crypto')
const { join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const FOLDER = ${JSON.stringify(folder)}
const HOME = ${JSON.stringify(home)}
const body = ${body.toString()}
if (process.argv.includes('--version')) { console.log('2.1.325 (Claude Code)'); process.exit(0) }
const option = (name) => { const at = process.argv.indexOf(name); return at === -1 ? null : process.argv[at + 1] }
const resumed = option('--resume')
const schema = option('--json-schema')
const session = resumed ?? randomUUID()
const talk = join(FOLDER, 'talks', session)
if (resumed !== null && !existsSync(talk)) { console.error('No conversation found with session ID: ' + resumed); process.exit(1) }
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n')
const waiting = new Map()
let asked = 0
const before = () => existsSync(talk) ? readFileSync(talk, 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line)) : []
const ask = (questions) => new Promise((resolve) => {
  asked += 1
  const id = 'ask-' + process.pid + '-' + asked
  waiting.set(id, ({ behavior, updatedInput, message }) => resolve(behavior === 'allow' ? { answers: updatedInput.answers } : { message }))
  say({ type: 'control_request', request_id: id, request: { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', tool_use_id: id, input: { questions } } })
})
const edit = (file, from, to) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
const hold = async (name) => { while (!existsSync(join(HOME, name))) await sleep(50) }
const usage = { input_tokens: 100, output_tokens: 10 }
async function turn(text) {
  const earlier = before()
  appendFileSync(talk, JSON.stringify(text) + '\\n')
  say({ type: 'system', subtype: 'init', session_id: session, model: 'claude-sonnet-4-5' })
  const told = { session, resumed: resumed !== null, text, before: earlier, schema: schema === null ? null : JSON.parse(schema) }
  const number = String(readdirSync(join(FOLDER, 'turns')).length).padStart(4, '0')
  writeFileSync(join(FOLDER, 'turns', number + '.json'), JSON.stringify(told))
  const said = await body({ ...told, ask, edit, hold })
  const isObject = typeof said === 'object'
  if (isObject && typeof said.fault === 'number') {
    say({ type: 'result', subtype: 'success', is_error: true, api_error_status: said.fault, num_turns: 1, result: 'API Error' })
    return
  }
  say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', num_turns: 1,
    result: isObject ? JSON.stringify(said) : said, ...(isObject ? { structured_output: said } : {}),
    modelUsage: { 'claude-sonnet-4-5': { inputTokens: 100, outputTokens: 10, costUSD: 0.001 } } })
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text)
  if (line.type === 'control_request') {
    say({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: {} } })
    if (line.request.subtype === 'interrupt') process.exit(0)
    return
  }
  if (line.type === 'control_response') {
    waiting.get(line.response.request_id)?.(line.response.response)
    return
  }
  if (line.type === 'user') void turn(line.message.content)
}).on('close', () => process.exit(0))
`
}
