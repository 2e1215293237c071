// What an engine says and begins while its turn goes on, told to people at a pace and a size that no engine can exceed.
import { BEGAN_CHARS_MAX, SAID_CHARS_MAX } from '@treadle/contracts/event/run'
import type { EngineEvent } from '../ports/engine.ts'
import type { WorkWorld } from '../work/work-world.ts'

/** Between two parts of what is said. */
const PAUSE_MS = 400
/** Of one turn; the rest is counted. */
const TURN_CHARS_MAX = 100_000
const TURN_PARTS_MAX = 300
/** Calls of one turn whose beginning is told. */
const BEGAN_MAX = 500
const TOOL_CHARS_MAX = 100
const CALL_ID_CHARS_MAX = 200
/** A talk that is told as it comes is told the more slowly the longer it gets, so that its parts last. */
const PARTS_AT_ONE_PACE = 50

type SpeechWorld = Pick<WorkWorld, 'clock' | 'note'>

/** The speech of one turn. */
export class TurnSpeech {
  readonly #world: SpeechWorld
  /** What is not told yet; never longer than one part. */
  #waiting = ''
  #leftOut = 0
  #chars = 0
  #parts = 0
  #began = 0
  #isPausing = false
  #isOver = false
  /** The block whose pieces are heard; null where words are told block by block, as those of runs are. */
  readonly #pieces: Pieces | null

  /** `asItComes`: for words that somebody waits for. Their parts stand together as they are. */
  constructor(world: SpeechWorld, { asItComes = false }: { readonly asItComes?: boolean } = {}) {
    this.#world = world
    this.#pieces = asItComes ? new Pieces() : null
  }

  hear(event: EngineEvent): void {
    if (this.#isOver) return
    if (event.is === 'text') this.#take(this.#pieces === null ? event.text : this.#pieces.end(event.text))
    if (event.is === 'piece' && this.#pieces !== null) this.#take(this.#pieces.add(event.text))
    // A call that is made again says all of it again.
    if (event.is === 'retrying' && this.#pieces !== null) this.#take(this.#pieces.end(''))
    // What was said before a call stands before it.
    if (event.is === 'began' || event.is === 'observed') this.#tell()
    if (event.is !== 'began' || this.#began >= BEGAN_MAX) return
    this.#began += 1
    this.#world.note({
      type: 'run.began',
      callId: event.callId.slice(0, CALL_ID_CHARS_MAX),
      tool: event.tool.slice(0, TOOL_CHARS_MAX) || 'tool',
      input: cut(event.input, BEGAN_CHARS_MAX),
    })
  }

  /** Tells what is left, and how much was not told. */
  end(): void {
    if (this.#isOver) return
    if (this.#pieces !== null) this.#take(this.#pieces.end(''))
    this.#tell()
    this.#isOver = true
    if (this.#leftOut > 0) this.#note('')
  }

  #take(text: string): void {
    if (text === '') return
    const said = this.#waiting === '' || this.#pieces !== null ? text : `\n${text}`
    const isFull = this.#parts >= TURN_PARTS_MAX
    const room = isFull
      ? 0
      : Math.min(SAID_CHARS_MAX, TURN_CHARS_MAX - this.#chars) - this.#waiting.length - 1
    const kept = this.#leftOut > 0 ? '' : cut(said, Math.max(0, room))
    this.#waiting += kept
    this.#leftOut += said.length - kept.length
    if (this.#isPausing) return
    this.#tell()
    this.#pause()
  }

  #tell(): void {
    if (this.#waiting === '' || this.#parts >= TURN_PARTS_MAX) return
    const text = this.#waiting
    this.#waiting = ''
    this.#parts += 1
    this.#chars += text.length
    this.#note(text)
  }

  #note(text: string): void {
    const leftOut = this.#leftOut
    this.#leftOut = 0
    this.#world.note({ type: 'run.said', text, ...(leftOut === 0 ? {} : { leftOut }) })
  }

  #pause(): void {
    this.#isPausing = true
    const goOn = () => {
      this.#isPausing = false
      if (this.#waiting === '' || this.#isOver) return
      this.#tell()
      this.#pause()
    }
    const slower = this.#pieces === null ? 1 : 1 + Math.floor(this.#parts / PARTS_AT_ONE_PACE)
    this.#world.clock.sleep(PAUSE_MS * slower).then(goOn, goOn)
  }
}

const HELD_MAX = 4_000

/** The block that is being said, word by word: a word that has only begun waits, so that no secret is told in halves. */
class Pieces {
  /** Characters of the block that were heard. */
  #heard = 0
  #held = ''
  #hasSaid = false

  /** What can be told of it by now. */
  add(piece: string): string {
    const before = this.#heard === 0 ? this.#between() : ''
    this.#heard += piece.length
    this.#held += piece
    const at = this.#held.length > HELD_MAX ? this.#held.length : tellable(this.#held)
    const told = this.#held.slice(0, at)
    this.#held = this.#held.slice(at)
    return before + told
  }

  /** The block as a whole: what was not told of it. */
  end(whole: string): string {
    const before = this.#heard === 0 && whole !== '' ? this.#between() : ''
    const told = before + this.#held + whole.slice(this.#heard)
    this.#heard = 0
    this.#held = ''
    return told
  }

  #between(): string {
    const between = this.#hasSaid ? '\n\n' : ''
    this.#hasSaid = true
    return between
  }
}

/** What is not told before more of it is there: the lines around a key, and the word before a token. */
const UNSURE = /(?:-----(?:BEGIN|END)[^\n]*|\bbearer\s*)$/i

/** As many characters as are whole words. */
function tellable(text: string): number {
  const word = text.search(/\s\S*$/) + 1
  const unsure = UNSURE.exec(text.slice(0, word))?.index ?? word
  return Math.min(word, unsure)
}

/** Cuts between words where it can, so that a secret is not split in two and told in halves; never inside a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const space = text.slice(0, max).search(/\s\S*$/)
  const at = space > 0 ? space : max
  const code = text.charCodeAt(at - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? at - 1 : at)
}
