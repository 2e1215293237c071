// Signatures as `ssh-keygen -Y sign` makes them and git keeps them in a commit, made and checked without that program.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import {
  armoured,
  joined,
  lengthed,
  publicBlob,
  type SshKey,
  SshReader,
  toBase64,
  unarmoured,
} from '@treadle/contracts/ssh-key'

const MAGIC = Buffer.from('SSHSIG')
const NAMESPACE = 'git'
const VERSION = Buffer.from([0, 0, 0, 1])
const MARKS = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----'] as const

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** What is really signed: the hash of the text, with what it is for. */
function preimage(hash: string, text: Uint8Array): Buffer {
  const digest = createHash(hash).update(text).digest()
  return Buffer.concat([MAGIC, lengthed(NAMESPACE), lengthed(''), lengthed(hash), lengthed(digest)])
}

/** The signature of a text, in lines. */
export function sshSign(key: SshKey, text: Uint8Array): string {
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: base64url(key.seed), x: base64url(key.publicKey) }
  const hash = 'sha512'
  const signed = signBytes(null, preimage(hash, text), createPrivateKey({ key: jwk, format: 'jwk' }))
  const signature = joined([lengthed('ssh-ed25519'), lengthed(signed)])
  const parts = [publicBlob(key), NAMESPACE, '', hash, signature].map(lengthed)
  return armoured(joined([MAGIC, VERSION, ...parts]), MARKS)
}

export type SshChecked =
  /** The signature fits; whose key it is, is another question. */
  | { readonly is: 'fits'; readonly type: string; readonly blob: string }
  | { readonly is: 'bad' }
  /** A kind of key that is not known here. */
  | { readonly is: 'unknown'; readonly type: string }

/** Whether a signature fits a text. */
export function sshCheck(signature: string, text: Uint8Array): SshChecked {
  const bytes = unarmoured(signature, MARKS)
  if (bytes === null) return { is: 'bad' }
  try {
    const reader = new SshReader(bytes)
    const isOurs = MAGIC.equals(reader.take(MAGIC.length)) && VERSION.equals(reader.take(4))
    const publicKey = reader.bytes()
    const namespace = reader.text()
    reader.bytes()
    const hash = reader.text()
    const signed = new SshReader(reader.bytes())
    if (!isOurs || namespace !== NAMESPACE || !/^sha(256|512)$/.test(hash)) return { is: 'bad' }
    const key = readPublic(new SshReader(publicKey))
    if ('unknown' in key) return { is: 'unknown', type: key.unknown }
    return key.verify(preimage(hash, text), signed)
      ? { is: 'fits', type: key.type, blob: toBase64(publicKey) }
      : { is: 'bad' }
  } catch (error) {
    // What is cut off, or numbers that are no key.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return { is: 'bad' }
    throw error
  }
}

interface PublicKey {
  readonly type: string
  verify(data: Buffer, signature: SshReader): boolean
}

const CURVES = new Map([
  ['nistp256', { crv: 'P-256', hash: 'sha256', bytes: 32 }],
  ['nistp384', { crv: 'P-384', hash: 'sha384', bytes: 48 }],
  ['nistp521', { crv: 'P-521', hash: 'sha512', bytes: 66 }],
])
const RSA_HASHES = new Map([
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
])

function readPublic(reader: SshReader): PublicKey | { readonly unknown: string } {
  const type = reader.text()
  if (type === 'ssh-ed25519') return ed25519(type, reader)
  if (type === 'ssh-rsa') return rsa(type, reader)
  return /^ecdsa-sha2-nistp\d+$/.test(type) ? ecdsa(type, reader) : { unknown: type }
}

function ed25519(type: string, reader: SshReader): PublicKey {
  const key = imported({ kty: 'OKP', crv: 'Ed25519', x: base64url(reader.bytes()) })
  return {
    type,
    verify: (data, signature) =>
      signature.text() === type && verifyBytes(null, data, key, signature.bytes()) && signature.isAtEnd,
  }
}

function rsa(type: string, reader: SshReader): PublicKey {
  const [e, n] = [reader.bytes(), reader.bytes()]
  const key = imported({ kty: 'RSA', e: base64url(unpadded(e)), n: base64url(unpadded(n)) })
  return {
    type,
    verify: (data, signature) => {
      const hash = RSA_HASHES.get(signature.text())
      return hash !== undefined && verifyBytes(hash, data, key, signature.bytes()) && signature.isAtEnd
    },
  }
}

function ecdsa(type: string, reader: SshReader): PublicKey | { readonly unknown: string } {
  const curve = CURVES.get(reader.text())
  if (curve === undefined) return { unknown: type }
  const { crv, hash, bytes } = curve
  // The point is not compressed: a 4, then its two numbers.
  const point = reader.bytes().slice(1)
  const [x, y] = [base64url(point.slice(0, bytes)), base64url(point.slice(bytes))]
  const key = imported({ kty: 'EC', crv, x, y })
  return {
    type,
    verify: (data, signature) => {
      if (signature.text() !== type) return false
      const numbers = new SshReader(signature.bytes())
      const both = [numbers.bytes(), numbers.bytes()].map((number) => padded(unpadded(number), bytes))
      return verifyBytes(hash, data, { key, dsaEncoding: 'ieee-p1363' }, joined(both)) && signature.isAtEnd
    },
  }
}

function imported(key: Readonly<Record<string, string>>): KeyObject {
  return createPublicKey({ key: { ...key }, format: 'jwk' })
}

/** A number without the zeros before it. */
function unpadded(number: Uint8Array): Uint8Array {
  const first = number.findIndex((byte) => byte !== 0)
  return first === -1 ? new Uint8Array() : number.slice(first)
}

function padded(number: Uint8Array, length: number): Uint8Array {
  if (number.length > length) throw new RangeError('a number is too long')
  return joined([new Uint8Array(length - number.length), number])
}

/** The short name of a key, as ssh-keygen prints it. */
export function fingerprintOf(blob: string): string {
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}
