// Documents as text that nobody's terminal obeys: what was made of them is written, printed and told.
import { stripVTControlCharacters } from 'node:util'
import { plain } from '@treadle/contracts/question'
import type { DocumentRead, Documents } from '../ports/documents.ts'

export async function readPlain(documents: Pick<Documents, 'read'>, path: string): Promise<DocumentRead> {
  const read = await documents.read(path)
  return read.text === null ? read : { ...read, text: plain(stripVTControlCharacters(read.text)) }
}
