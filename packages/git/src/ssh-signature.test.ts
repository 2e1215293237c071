import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  armoured,
  joined,
  lengthed,
  privateText,
  publicLine,
  readPrivate,
  toBase64,
} from '@treadle/contracts/ssh-key'
import { notRun } from '@treadle/requirements/not-run'
import { expect, onTestFinished, test } from 'vitest'
import { readSigners, signerOf } from './allowed-signers.ts'
import { makeSshKey } from './scratch-repository.ts'
import { fingerprintOf, sshCheck, sshSign } from './ssh-signature.ts'

const text = Buffer.from('tree 1\n\nMerge ü\n')

test('a key is read as it was written, and a damaged, locked or foreign one is none', () => {
  const key = makeSshKey()
  const written = privateText(key, 7)
  expect(readPrivate(written)).toEqual(key)
  const lines = written.split('\n')
  expect(readPrivate([...lines.slice(0, 2), ...lines.slice(3)].join('\n'))).toBeNull()
  expect(readPrivate(written.replaceAll('OPENSSH', 'RSA'))).toBeNull()
  const locked = Buffer.concat([Buffer.from('openssh-key-v1\0'), lengthed('aes256-ctr'), lengthed('bcrypt')])
  const marks = ['-----BEGIN OPENSSH PRIVATE KEY-----', '-----END OPENSSH PRIVATE KEY-----'] as const
  expect(readPrivate(armoured(locked, marks))).toBeNull()
  expect(readPrivate('')).toBeNull()
})

test('a signature fits its text and its key, and nothing else', () => {
  const key = makeSshKey()
  const signature = sshSign(key, text)
  const [, blob = ''] = publicLine(key).split(' ')
  expect(sshCheck(signature, text)).toEqual({ is: 'fits', type: 'ssh-ed25519', blob })
  expect(sshCheck(signature, Buffer.concat([text, text]))).toEqual({ is: 'bad' })
  const lines = signature.trimEnd().split('\n')
  const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64')
  const marks = [lines[0] ?? '', lines.at(-1) ?? ''] as const
  const fitting = Array.from(bytes, (_, at) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    return sshCheck(armoured(changed, marks), text).is === 'fits' ? [at] : []
  })
  expect(fitting.flat()).toEqual([])
  for (const end of [0, 5, 40, bytes.length - 1])
    expect(sshCheck(armoured(bytes.subarray(0, end), marks), text)).toEqual({ is: 'bad' })
  expect(sshCheck('nonsense', text)).toEqual({ is: 'bad' })
})

/** What ssh-keygen makes with keys of other kinds, by its own rules. */
function signedWith(type: string, publicKey: Uint8Array, of: (data: Buffer) => Uint8Array): string {
  const digest = createHash('sha512').update(text).digest()
  const head = [lengthed('git'), lengthed(''), lengthed('sha512')]
  const data = Buffer.concat([Buffer.from('SSHSIG'), ...head, lengthed(digest)])
  const signature = joined([lengthed(type), lengthed(of(data))])
  const whole = [Buffer.from('SSHSIG'), Uint8Array.of(0, 0, 0, 1), lengthed(publicKey), ...head]
  const marks = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----'] as const
  return armoured(joined([...whole, lengthed(signature)]), marks)
}
const mpint = (bytes: Buffer) => lengthed(joined([Uint8Array.of(0), bytes]))

test('keys of RSA and ECDSA are checked too, and kinds that are not known are named', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const { e = '', n = '' } = rsa.publicKey.export({ format: 'jwk' })
  const parts = [e, n].map((number) => mpint(Buffer.from(number, 'base64url')))
  const rsaKey = joined([lengthed('ssh-rsa'), ...parts])
  const byRsa = signedWith('rsa-sha2-512', rsaKey, (data) => sign('sha512', data, rsa.privateKey))
  expect(sshCheck(byRsa, text)).toEqual({ is: 'fits', type: 'ssh-rsa', blob: toBase64(rsaKey) })
  // SHA-1 is no proof any more.
  const old = signedWith('ssh-rsa', rsaKey, (data) => sign('sha1', data, rsa.privateKey))
  expect(sshCheck(old, text)).toEqual({ is: 'bad' })

  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = curve.publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const type = 'ecdsa-sha2-nistp256'
  const curveKey = joined([lengthed(type), lengthed('nistp256'), lengthed(point)])
  const byCurve = signedWith(type, curveKey, (data) => {
    const both = sign('sha256', data, { key: curve.privateKey, dsaEncoding: 'ieee-p1363' })
    return joined([mpint(both.subarray(0, 32)), mpint(both.subarray(32))])
  })
  expect(sshCheck(byCurve, text).is).toBe('fits')
  expect(sshCheck(byCurve, Buffer.from('other')).is).toBe('bad')

  const token = joined([lengthed('sk-ssh-ed25519@openssh.com'), lengthed('')])
  const unknown = { is: 'unknown', type: 'sk-ssh-ed25519@openssh.com' }
  expect(
    sshCheck(
      signedWith(type, token, () => Buffer.of(1)),
      text,
    ),
  ).toEqual(unknown)
})

test('a list of signers is read as ssh reads it', () => {
  const [one, two] = [publicLine(makeSshKey()), publicLine(makeSshKey())]
  const blobOf = (line: string) => line.split(' ')[1] ?? ''
  const at = Date.UTC(2026, 5, 1) / 1_000
  const who = (list: string) => signerOf(readSigners(list), blobOf(one), at)
  expect(who(`# known\n\nada@x ${one}`)).toBe('ada@x')
  expect(who(`ada@x ${two}`)).toBeNull()
  expect(who(`"ada@x,eve" namespaces="file,git" ${one} a comment`)).toBe('ada@x,eve')
  expect(who(`ada@x namespaces="file" ${one}`)).toBeNull()
  expect(who(`ada@x cert-authority ${one}`)).toBeNull()
  expect(who(`ada@x valid-after="20260101Z",valid-before="20270101Z" ${one}`)).toBe('ada@x')
  expect(who(`ada@x valid-before="20260101" ${one}`)).toBeNull()
  expect(who(`ada@x valid-after="soon" ${one}`)).toBeNull()
  expect(who(`ada@x ${one.slice(0, 40)}`)).toBeNull()
})

test('ssh-keygen takes the key and the signature for its own', (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-ssh-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const key = makeSshKey()
  const line = publicLine(key)
  writeFileSync(join(dir, 'key'), privateText(key, 99), { mode: 0o600 })
  writeFileSync(join(dir, 'signature'), sshSign(key, text))
  writeFileSync(join(dir, 'known'), `ada ${line}\n`)
  const keygen = (...args: string[]) =>
    spawnSync('ssh-keygen', args, { cwd: dir, input: text, encoding: 'utf8' })
  const shown = keygen('-y', '-f', 'key')
  if (shown.error !== undefined) notRun(context, 'there is no ssh-keygen', 'apt install openssh-client')
  expect(shown.stdout.trim()).toBe(line)
  expect(keygen('-l', '-f', 'key').stdout).toContain(fingerprintOf(line.split(' ')[1] ?? ''))
  const checked = keygen('-Y', 'verify', '-f', 'known', '-I', 'ada', '-n', 'git', '-s', 'signature')
  expect([checked.status, checked.stderr]).toEqual([0, ''])
})
