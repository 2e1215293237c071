// A stream that `pg` takes for a socket: bytes written go to the thread, bytes from the thread can be read.
import { Duplex } from 'node:stream'

export interface PgliteLine {
  start(): Promise<void>
  send(bytes: Uint8Array): void
  gone(): void
}

const TERMINATE = 0x58

export class PgliteStream extends Duplex {
  readonly #line: PgliteLine

  constructor(line: PgliteLine) {
    super()
    this.#line = line
  }

  /** The rest of a socket's interface that `pg` calls. */
  connect(): this {
    this.#line.start().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    )
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  receive(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  override _read(): void {
    // Answers are pushed as they come.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: () => void): void {
    done()
    this.push(null)
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#line.gone()
    done(error)
  }

  #send(bytes: Buffer): void {
    // "Terminate" ends the session of a server; here it would end the database.
    if (bytes[0] === TERMINATE && bytes.length === 5) return
    // A copy: the pool writes into the same buffer again.
    this.#line.send(Uint8Array.from(bytes))
  }
}
