// The key that signs the merges of a workspace: made beside the owner's key, its public half named in treadle.json.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomInt } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname } from 'node:path'
import { signingKeyFile } from '@treadle/contracts/owner-key'
import { keyOfLine, privateText, publicLine, readPrivate, type SshKey } from '@treadle/contracts/ssh-key'
import { CONFIG_FILE, type WorkspacePaths } from '@treadle/contracts/workspace'
import type { CliEnv } from './env.ts'
import { addToList } from './settings-text.ts'
import { UserError } from './user-error.ts'

/** Makes the key of a workspace unless there is one. An agent makes none: it is not the owner. */
export function makeSigningKey({ ownerKey, isAgent }: CliEnv, { root }: WorkspacePaths): void {
  const file = signingKeyFile(ownerKey, root)
  if (isAgent || existsSync(file)) return
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const text = privateText(newKey(`treadle:${basename(root)}`), randomInt(2 ** 32))
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    // Two that come at once make one.
    linkSync(draft, file)
  } catch (error) {
    if (existsSync(file)) return
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `The key that signs merges cannot be written to ${file}: ${why}`,
      'Make that folder writable, take away what is in the way, or name another: TREADLE_CONFIG_HOME=<folder>',
    )
  } finally {
    rmSync(draft, { force: true })
  }
}

function newKey(comment: string): SshKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { seed: decoded(d), publicKey: decoded(x), comment: comment.replaceAll(/\s+/g, '-') }
}

const decoded = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

/**
 * Names the keys that sign here in treadle.json. `changesTracked` is false where nobody has asked for it: a file of the
 * checkout that differs from its commit would keep the checkout from following merges. True if it was changed.
 */
export function nameSigners(
  env: CliEnv,
  paths: WorkspacePaths,
  { changesTracked }: { readonly changesTracked: boolean },
): boolean {
  if (env.isAgent || (!changesTracked && isTracked(paths.root))) return false
  const text = read(paths.config)
  if (text === null) return false
  let changed = text
  for (const line of signersOf(env, paths.root)) {
    const blob = keyOfLine(line)?.blob
    if (blob === undefined || changed.includes(blob)) continue
    changed = addToList(changed, { section: 'merge', key: 'signers', value: line }) ?? changed
  }
  if (changed === text) return false
  const draft = `${paths.config}.${process.pid}`
  try {
    writeFileSync(draft, changed)
    renameSync(draft, paths.config)
    return true
  } catch {
    // A folder that cannot be written to: merges are signed all the same.
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The public halves of the keys that sign here: the user's own, if it is one of ssh, and the workspace's. */
function signersOf({ ownerKey }: CliEnv, root: string): string[] {
  const key = readPrivate(read(signingKeyFile(ownerKey, root)) ?? '')
  return [...userSigner(root), ...(key === null ? [] : [publicLine(key)])]
}

function userSigner(root: string): string[] {
  if (git(root, 'config', 'gpg.format') !== 'ssh') return []
  const name = git(root, 'config', 'user.signingKey').replace(/^key::/, '')
  const path = name.replace(/^~(?=\/)/, homedir())
  const texts = [name, ...(path.startsWith('/') ? [read(`${path}.pub`), read(path)] : [])]
  const line = texts.find((text) => text !== null && keyOfLine(text) !== null)
  return line ? [line.trim()] : []
}

function isTracked(root: string): boolean {
  return git(root, 'ls-files', '--', CONFIG_FILE) !== ''
}

function git(root: string, ...args: readonly string[]): string {
  return (spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '').trim()
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
