// What talks about ideas need of the daemon, and a look now and then at documents that are still to be written.
import type { TalkWorld } from '@treadle/flow/idea/talk-world'
import { runWriteLeft, type WriteWorld } from '@treadle/flow/idea/write.run'
import { questionsFor, type Trigger } from '@treadle/questions/questions-for'
import type { World } from '../world.ts'

export function ideaWorld(world: World): TalkWorld & WriteWorld {
  const { store, now, uuid, config, documents, userSlug, webSearch, log, lessons, workspace } = world
  return {
    store,
    now,
    uuid,
    config,
    documents,
    userSlug,
    webSearch,
    recall: (query) => lessons.recall(query),
    repository: workspace.id,
    onLookUpFailed: (why) => log.warn({ why }, 'nothing was looked up'),
    catalogue: (trigger) => questionsFor(trigger as Trigger),
  }
}

/** Part of every sweep: documents that were interrupted by the end of a daemon, or by a rebase. */
export function sweepIdeas(world: World): Promise<void> {
  return runWriteLeft(ideaWorld(world))
}
