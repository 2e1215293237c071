// Lessons that `treadle fix` left while no daemon was there to take them.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { Lesson, NewLesson } from '@treadle/contracts/lesson'
import { messageOf } from '@treadle/flow/fault'
import type { World } from '../world.ts'

export async function takeInLessons(world: World): Promise<void> {
  const { lessons: folder } = world.paths
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const file = `${folder}/${name}`
    try {
      await takeIn(world, basename(name, '.json'), readLessons(file))
      rmSync(file, { force: true })
    } catch (error) {
      world.log.warn({ file, why: messageOf(error) }, 'lessons that cannot be read are set aside')
      renameSync(file, `${file}.faulty`)
    }
  }
}

function readLessons(file: string): NewLesson[] {
  const read = Lesson.array().parse(JSON.parse(readFileSync(file, 'utf8')))
  return read.map(({ seenIn, ...lesson }) => {
    const facts = Object.fromEntries(Object.entries(lesson).filter(([name]) => name in NewLesson.shape))
    return NewLesson.parse({ ...facts, seenAt: seenIn[0] })
  })
}

/** In one transaction with an event that counts once, so that a kill before the file is gone doubles nothing. */
async function takeIn(world: World, runId: string, lessons: readonly NewLesson[]): Promise<void> {
  const { store, now } = world
  await store.tx(async () => {
    const first = await store.events.append({
      id: `lessons:${runId}`,
      at: now(),
      item: null,
      agentId: null,
      runId: null,
      state: null,
      event: { type: 'recovery.acted', action: 'took in lessons', why: `${lessons.length} of fix ${runId}` },
    })
    if (!first) return
    for (const lesson of lessons) await store.lessons.record(lesson, now())
  })
}
