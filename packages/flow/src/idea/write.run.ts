// The documents of an idea are written from the store, after the transaction that changed it; what was interrupted is
// written at the next look.
import type { Idea, IdeaDocument } from '@treadle/contracts/idea'
import type { DocumentRead, Documents } from '../ports/documents.ts'
import type { KeptIdea } from '../ports/ideas.ts'
import { BRIEF, documentsOf, folderOf } from './documents.ts'
import type { TalkWorld } from './talk-world.ts'

export interface WriteWorld extends Pick<TalkWorld, 'store' | 'config'> {
  readonly documents: Documents
}

const BATCH = 50

/** Writes what is newer in the store than in the checkout. */
export function runWrite(world: WriteWorld, slug: string): Promise<void> {
  // Of two at once the later revision is written last.
  return world.documents.inTurn(`idea ${slug}`, async () => {
    const kept = await world.store.ideas.find(slug)
    if (kept === null || kept.documented >= kept.revision) return
    if (kept.idea.candidateAt !== null && !(await writeAll(world, kept.idea))) return
    await world.store.ideas.markDocumented(slug, kept.revision)
  })
}

/** False: something was refused, and is tried again at the next look. */
async function writeAll({ documents, config }: WriteWorld, idea: Idea): Promise<boolean> {
  let isWhole = true
  for (const { path, text } of documentsOf(idea, config().ideas.dir))
    if ((await documents.write(path, text)).is === 'refused') isWhole = false
  return isWhole
}

/** Those that were interrupted, or refused because git was busy. */
export async function runWriteLeft(world: WriteWorld): Promise<void> {
  for (const { idea } of await world.store.ideas.undocumented(BATCH)) await runWrite(world, idea.slug)
}

/** How each document of an idea stands in the checkout. */
export async function documentStates(
  { documents, config }: Pick<WriteWorld, 'documents' | 'config'>,
  idea: Idea,
): Promise<IdeaDocument[]> {
  const states: IdeaDocument[] = []
  for (const { path } of documentsOf(idea, config().ideas.dir)) {
    const read = await documents.read(path)
    const besidePath = path.replace(/\.md$/, '.treadle.md')
    const hasBeside = read.edited && (await documents.read(besidePath)).text !== null
    states.push({
      path,
      state: stateOf(read, hasBeside),
      besidePath: hasBeside ? besidePath : null,
      why: read.why ?? documents.refusal(path),
    })
  }
  return states
}

function stateOf({ text, why, edited }: DocumentRead, hasBeside: boolean): IdeaDocument['state'] {
  if (text === null && why === null) return 'missing'
  if (hasBeside) return 'beside'
  return edited ? 'edited' : 'written'
}

export type BriefRead =
  | { readonly is: 'read'; readonly path: string; readonly text: string }
  | { readonly is: 'none' }
  | { readonly is: 'unreadable'; readonly path: string; readonly why: string }

/** The brief as it stands in the checkout, hand edits included; one that was deleted is written again. */
export async function runBrief(world: WriteWorld, { idea }: KeptIdea): Promise<BriefRead> {
  const dir = world.config().ideas.dir
  const path = `${folderOf(idea, dir)}/${BRIEF}`
  const found = await world.documents.read(path)
  if (found.text !== null) return { is: 'read', path, text: found.text }
  if (found.why !== null) return { is: 'unreadable', path, why: found.why }
  const made = documentsOf(idea, dir).find((document) => document.path === path)
  if (made === undefined) return { is: 'none' }
  await world.documents.write(path, made.text)
  return { is: 'read', path, text: made.text }
}
