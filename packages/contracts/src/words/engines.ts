// What people are told about engines.
import { readsWords } from '../config/engines.ts'

/** What is to be known before one writes to an engine; null where it reads what is written. */
export function unreadWords(engine: string): string | null {
  if (readsWords(engine)) return null
  return `The ${engine} engine does not read what you write: it has no model and goes by the code alone. Your words are kept for you and for reviews. To have them acted on, set engines.default to an engine that reads, such as claude-code.`
}
