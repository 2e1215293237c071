// An ed25519 key in the formats of OpenSSH, read and written without ssh-keygen. Pure.

/** An ed25519 key as its bare numbers: 32 bytes each. */
export interface SshKey {
  readonly seed: Uint8Array<ArrayBuffer>
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly comment: string
}

const TYPE = 'ssh-ed25519'
const MAGIC = 'openssh-key-v1\0'
const KEY_BYTES = 32
const LINE_CHARS = 70
const [BEGIN, END] = ['-----BEGIN OPENSSH PRIVATE KEY-----', '-----END OPENSSH PRIVATE KEY-----']

type Bytes = Uint8Array<ArrayBuffer>

// ── Bytes as ssh writes them ────────────────────────────────────────────────────────────────────

const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

export function joined(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function uint32(value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** A string as ssh writes it: its length before it. */
export function lengthed(value: string | Uint8Array): Bytes {
  const bytes = typeof value === 'string' ? utf8(value) : value
  return joined([uint32(bytes.length), bytes])
}

/** Reads what `lengthed` and its like have written; what is cut off is a RangeError. */
export class SshReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Bytes {
    if (this.#at + length > this.#bytes.length) throw new RangeError('it ends too early')
    const taken = this.#bytes.slice(this.#at, this.#at + length)
    this.#at += length
    return taken
  }

  uint32(): number {
    return new DataView(this.take(4).buffer).getUint32(0)
  }

  bytes(): Bytes {
    return this.take(this.uint32())
  }

  text(): string {
    return new TextDecoder().decode(this.bytes())
  }
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes of a base64 text; null if it is none. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

/** A text between two marks, in lines. */
export function armoured(bytes: Uint8Array, [begin, end]: readonly [string, string]): string {
  const lines = toBase64(bytes).match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? []
  return `${[begin, ...lines, end].join('\n')}\n`
}

/** The bytes between two marks; null if the text is not of this kind. */
export function unarmoured(text: string, [begin, end]: readonly [string, string]): Bytes | null {
  const lines = text.trim().split(/\r?\n/)
  if (lines[0] !== begin || lines.at(-1) !== end) return null
  return fromBase64(lines.slice(1, -1).join(''))
}

// ── Keys ────────────────────────────────────────────────────────────────────────────────────────

export function publicBlob({ publicKey }: Pick<SshKey, 'publicKey'>): Bytes {
  return joined([lengthed(TYPE), lengthed(publicKey)])
}

/** The public half in one line, as `treadle.json` and lists of signers have it. */
export function publicLine(key: Pick<SshKey, 'publicKey' | 'comment'>): string {
  return `${TYPE} ${toBase64(publicBlob(key))} ${key.comment}`.trimEnd()
}

/** The private half as ssh-keygen writes it without a passphrase. `check` is any number, written twice. */
export function privateText(key: SshKey, check: number): string {
  const secret = [
    ...[uint32(check), uint32(check), lengthed(TYPE), lengthed(key.publicKey)],
    ...[lengthed(joined([key.seed, key.publicKey])), lengthed(key.comment)],
  ]
  const length = joined(secret).length
  const padding = Uint8Array.from({ length: (8 - (length % 8)) % 8 }, (_, at) => at + 1)
  const whole = [
    ...[utf8(MAGIC), lengthed('none'), lengthed('none'), lengthed(''), uint32(1)],
    ...[lengthed(publicBlob(key)), lengthed(joined([...secret, padding]))],
  ]
  return armoured(joined(whole), [BEGIN, END])
}

/** The key of a private file; null if it is another kind of key, locked or damaged. */
export function readPrivate(text: string): SshKey | null {
  const bytes = unarmoured(text, [BEGIN, END])
  if (bytes === null) return null
  try {
    const reader = new SshReader(bytes)
    if (new TextDecoder().decode(reader.take(MAGIC.length)) !== MAGIC) return null
    if (reader.text() !== 'none' || reader.text() !== 'none') return null
    reader.bytes()
    if (reader.uint32() !== 1) return null
    reader.bytes()
    return readSecret(new SshReader(reader.bytes()))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function readSecret(reader: SshReader): SshKey | null {
  const check = reader.uint32()
  if (reader.uint32() !== check || reader.text() !== TYPE) return null
  const publicKey = reader.bytes()
  const both = reader.bytes()
  if (publicKey.length !== KEY_BYTES || both.length !== 2 * KEY_BYTES) return null
  return { publicKey, seed: both.slice(0, KEY_BYTES), comment: reader.text() }
}

/** Type and key of a line such as `ssh-ed25519 AAAA… comment`, by which two lines are the same key; null if it is none. */
export function keyOfLine(line: string): { readonly type: string; readonly blob: string } | null {
  const [, type, blob] =
    /^\s*((?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(line) ?? []
  return type === undefined || blob === undefined ? null : { type, blob }
}
