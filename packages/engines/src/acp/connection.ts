// One process that speaks ACP: started, greeted, and with a session open.

import { Readable, Writable } from 'node:stream'
import {
  type AcpConnection,
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
} from '@agentclientprotocol/sdk/unstable'
import type { EngineOpen } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { sandboxOf } from '../confined.ts'
import { type Child, startChild } from '../external/child.ts'
import { findProgram } from '../external/program.ts'
import { LINE_BYTES_MAX } from '../line-limit.ts'
import { TextWindow } from '../scripted/window.ts'
import type { AcpProfile, AcpSettings, AcpStart } from './settings.ts'
import { setThoughtLevel, thoughtLevelIn } from './thought-level.ts'

export interface Wired {
  readonly child: Child
  readonly agent: ClientConnection['agent']
  readonly connection: AcpConnection
  readonly errors: TextWindow
  readonly sessionId: string
  readonly warnings: readonly string[]
  readonly isConfined: boolean
}

interface Callbacks {
  onUpdate(update: unknown): void
  /** The answer goes back as it is. */
  onPermission(params: unknown): Promise<unknown>
  onForm(params: unknown): Promise<unknown>
  onActivity(): void
}

export type Connected =
  | ({ readonly is: 'connected' } & Wired)
  | { readonly is: 'refused'; readonly why: string }

export interface Connect {
  readonly profile: AcpProfile
  readonly settings: AcpSettings
  readonly open: EngineOpen
  /** The session to go on with. */
  readonly resume: string | null
  readonly callbacks: Callbacks
  /** Ends the start when nobody wants the program any more. */
  readonly signal: AbortSignal
}

const START_MS = 120_000
const Initialized = z.looseObject({
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish(),
      sessionCapabilities: z.looseObject({ resume: z.unknown().optional() }).nullish(),
    })
    .nullish(),
  authMethods: z.array(z.looseObject({ id: z.string() })).nullish(),
})
const Sessioned = z.looseObject({ sessionId: z.string() })

export async function connect(given: Connect): Promise<Connected> {
  const { profile, settings, open } = given
  const argv = settings.command ?? profile.command
  const env: Readonly<Record<string, string>> = {
    ...open.env,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  }
  const program = findProgram(argv[0] ?? '', env.PATH ?? '')
  if (program === null)
    return { is: 'refused', why: `There is no program ${argv[0] ?? ''}: ${profile.install}` }
  const start: AcpStart = { settings, home: open.home ?? null, asks: open.permissions === 'ask' }
  if (given.resume !== null) profile.beforeResume?.(start, given.resume)
  const started = await startChild({
    argv: [program, ...argv.slice(1)],
    env: { ...env, ...profile.prepare(start) },
    writable: profile.writable(start),
    lend: () => profile.lend?.(start) ?? [],
    sandbox: sandboxOf(settings),
    open,
  })
  if (started.is === 'refused') return started
  const { child, warning, isConfined } = started
  const errors = new TextWindow()
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.add(text))
  child.stdin.on('error', (cause) => errors.add(`${cause.message}\n`))
  child.on('error', (cause) => errors.add(`${cause.message}\n`))
  const connection = wire(child, given.callbacks)
  try {
    const signal = AbortSignal.any([given.signal, AbortSignal.timeout(START_MS)])
    const { sessionId, opened } = await Promise.race([greet(connection, given), whenAborted(signal)])
    const modeId = profile.mode?.({ asks: start.asks || open.readOnly === true, isConfined })
    if (modeId !== undefined)
      await connection.agent.request(methods.agent.session.setMode, { sessionId, modeId })
    const untold = await tellEffort(connection, { sessionId, opened, start, profile })
    return {
      is: 'connected',
      child,
      agent: connection.agent,
      connection,
      errors,
      sessionId,
      warnings: [warning, untold].filter((each) => each !== null),
      isConfined,
    }
  } catch (error) {
    child.stdin.end()
    throw new StartFailure(child, errors, error)
  }
}

/** A program that was started, and then would not do. */
export class StartFailure extends Error {
  readonly child: Child
  readonly errors: TextWindow
  constructor(child: Child, errors: TextWindow, cause: unknown) {
    super('the program did not open a session', { cause })
    this.child = child
    this.errors = errors
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error('it did not start in time, or was stopped before it had'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

function wire(child: Child, { onUpdate, onPermission, onForm, onActivity }: Callbacks): ClientConnection {
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>
  return client({ name: 'treadle' })
    .onNotification(methods.client.session.update, ({ params }) => {
      onActivity()
      onUpdate(params.update)
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      onActivity()
      return (await onPermission(params)) as never
    })
    .onRequest(methods.client.elicitation.create, async ({ params }) => {
      onActivity()
      return (await onForm(params)) as never
    })
    .connect(ndJsonStream(output, input, { maxMessageBytes: LINE_BYTES_MAX }))
}

/** A session, and what the program has said of it when it was opened. */
interface Greeted {
  readonly sessionId: string
  readonly opened: unknown
}

interface Told extends Greeted {
  readonly start: AcpStart
  readonly profile: AcpProfile
}

/** Null: the program is told how hard to think, or nobody has said it. */
async function tellEffort(
  connection: ClientConnection,
  { sessionId, opened, start, profile }: Told,
): Promise<string | null> {
  const effort = start.settings.effort ?? null
  if (effort === null) return null
  const level = thoughtLevelIn(opened, effort)
  if (level !== null) await setThoughtLevel(connection, sessionId, level)
  if (level !== null || profile.hasEffortSetting?.(start) === true) return null
  return `The effort "${effort}" of the item is not told: ${profile.id} offers no such setting here.`
}

async function greet({ agent }: ClientConnection, { profile, open, resume }: Connect): Promise<Greeted> {
  const initialized = Initialized.parse(
    await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'treadle', version: '0.1.0' },
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      },
    }),
  )
  const offered = initialized.authMethods?.some(({ id }) => id === profile.authMethod) === true
  if (profile.authMethod !== null && offered)
    await agent.request(methods.agent.authenticate, { methodId: profile.authMethod })
  const place = { cwd: open.cwd, mcpServers: [] }
  if (resume !== null) {
    const { sessionCapabilities, loadSession } = initialized.agentCapabilities ?? {}
    const session = { sessionId: resume, ...place }
    if (sessionCapabilities?.resume != null)
      return { sessionId: resume, opened: await agent.request(methods.agent.session.resume, session) }
    if (loadSession === true)
      return { sessionId: resume, opened: await agent.request(methods.agent.session.load, session) }
    // A new one in its place would know nothing of what it is asked to go on with.
    throw new Error('the program cannot go on with a conversation')
  }
  const opened = await agent.request(methods.agent.session.new, place)
  return { sessionId: Sessioned.parse(opened).sessionId, opened }
}
