// The conversation with the model, kept on disk where there is a place for it, so that it can be gone on with.
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Message, readJson, type ToolCall } from './call.ts'

/** More than this is not sent: the oldest outputs of tools go first. */
const CHARS_MAX = 480_000
const GONE = 'This output was removed to make room.'
const NEWLINE = 10
/** As much of it as is looked at here. */
const Written = z.looseObject({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.array(z.looseObject({ type: z.string() })),
})

export class Conversation {
  readonly id: string
  readonly #file: string | null
  #messages: Message[] = []
  #chars = 0

  constructor(id: string = randomUUID(), file: string | null = null) {
    this.id = id
    this.#file = file
  }

  static open(home: string | undefined, resume: string | undefined): Conversation {
    if (home === undefined) return new Conversation(resume)
    const folder = join(home, 'native')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const id = resume ?? randomUUID()
    const file = fileOf(home, id)
    const conversation = new Conversation(id, file)
    if (resume !== undefined && existsSync(file)) conversation.#read(file)
    return conversation
  }

  /** Whether there is a conversation to go on with. */
  static isKept(home: string | undefined, id: string): boolean {
    return home !== undefined && existsSync(fileOf(home, id))
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  say(text: string): void {
    this.add({ role: 'user', content: [{ type: 'text', text }] })
  }

  add(message: Message): void {
    this.#hold(message)
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(message)}\n`, { mode: 0o600 })
  }

  /** A call without a result is refused by every provider. */
  close(): void {
    const open = this.#openCalls()
    if (open.length === 0) return
    const value = 'It was interrupted; whether it took effect is not known. Check before you do it again.'
    this.add({
      role: 'tool',
      content: open.map(({ id, name }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'error-text', value },
      })),
    })
  }

  #openCalls(): Pick<ToolCall, 'id' | 'name'>[] {
    const last = this.#messages.at(-1)
    if (last?.role !== 'assistant') return []
    return last.content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName }] : [],
    )
  }

  /**
   * A line that was not written to its end is not there, nor is what follows it: a call may have lost its result. It is
   * cut off, so that what is added does not run on from it.
   */
  #read(file: string): void {
    const written = readFileSync(file)
    let whole = 0
    for (let end = written.indexOf(NEWLINE); end !== -1; end = written.indexOf(NEWLINE, whole)) {
      const message = messageIn(written.toString('utf8', whole, end))
      if (message === null) break
      this.#hold(message)
      whole = end + 1
    }
    if (whole < written.length) truncateSync(file, whole)
    this.close()
  }

  #hold(message: Message): void {
    this.#messages.push(message)
    this.#chars += charsOf(message)
    if (this.#chars > CHARS_MAX) this.#shrink()
  }

  /** By half, so that it is not done again at once and the provider's cache is of use. */
  #shrink(): void {
    const keep = this.#messages.length - 2
    this.#messages = this.#messages.map((message, at) => {
      if (at >= keep || this.#chars <= CHARS_MAX / 2 || message.role !== 'tool') return message
      const short: Message = {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' ? { ...part, output: { type: 'text', value: GONE } } : part,
        ),
      }
      this.#chars += charsOf(short) - charsOf(message)
      return short
    })
  }
}

function fileOf(home: string, id: string): string {
  return join(home, 'native', `${id.replace(/[^\w-]/g, '_')}.jsonl`)
}

function messageIn(line: string): Message | null {
  const read = readJson(line)
  return Written.safeParse(read).success ? (read as Message) : null
}

function charsOf({ content }: Message): number {
  return typeof content === 'string' ? content.length : content.reduce((sum, part) => sum + sizeOf(part), 0)
}

function sizeOf(part: Exclude<Message['content'], string>[number]): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length
    case 'tool-call':
      return JSON.stringify(part.input)?.length ?? 0
    case 'tool-result':
      return 'value' in part.output && typeof part.output.value === 'string' ? part.output.value.length : 100
    default:
      return 100
  }
}
