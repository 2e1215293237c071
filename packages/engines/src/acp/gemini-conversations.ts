// Where gemini keeps its conversations, and why one has to be put aside before it is gone on with.
import { type Dirent, existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** So much of the name of a conversation is in the name of its file. */
const SHORT = 8

/**
 * Before it loads a conversation, gemini opens an empty one of the same name, and writes it to
 * `session-<minute>-<short name>.jsonl`. Within the minute in which the conversation began that is its own file, and
 * what it held is taken for overwritten. Under another name it is found by what is in it, and gone on with there.
 */
export function putAside(folder: string, conversation: string): void {
  const short = conversation.slice(0, SHORT).replace(/[^\w-]/g, '')
  if (short.length < SHORT) return
  const own = new RegExp(`^session-\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}-${short}\\.jsonl$`)
  const projects = join(folder, 'tmp')
  for (const project of entriesIn(projects)) {
    // What the program has linked elsewhere is not followed.
    if (!project.isDirectory()) continue
    const chats = join(projects, project.name, 'chats')
    const isOwn = entriesIn(join(projects, project.name)).some(
      (entry) => entry.name === 'chats' && entry.isDirectory(),
    )
    for (const file of isOwn ? entriesIn(chats) : []) {
      const kept = file.name.replace(`-${short}.jsonl`, `-kept-${short}.jsonl`)
      if (!file.isFile() || !own.test(file.name) || existsSync(join(chats, kept))) continue
      renameSync(join(chats, file.name), join(chats, kept))
    }
  }
}

function entriesIn(folder: string): Dirent[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
}
