// File names as git gives them: bytes, which need not be text.
import { lstatSync } from 'node:fs'

/** A file name as a latin1 string, one character per byte: it survives the way there and back. */
export type Name = string
const nul = '\0'

export function namesOf(bytes: Buffer): Name[] {
  return bytes
    .toString('latin1')
    .split(nul)
    .filter((name) => name !== '')
}

export function bytesOf(names: readonly Name[]): Buffer {
  return Buffer.from(names.map((name) => name + nul).join(''), 'latin1')
}

export function utf8(name: Name): string {
  return Buffer.from(name, 'latin1').toString('utf8')
}

export function parentsOf(name: Name): Name[] {
  const parts = name.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

export function pathOf(cwd: string, name: Name): Buffer {
  return Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from(name, 'latin1')])
}

/** The kind of the name itself; a link is a file, wherever it leads. */
export function kindAt(cwd: string, name: Name): 'nothing' | 'file' | 'folder' {
  try {
    return lstatSync(pathOf(cwd, name)).isDirectory() ? 'folder' : 'file'
  } catch {
    return 'nothing'
  }
}
