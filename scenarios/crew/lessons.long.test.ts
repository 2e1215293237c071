// What the crew knows reaches the engine, what was shown is on record, and what helped is known from then on.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { addRepair, moduleOf, repair, type Step, TEST_SCRIPT, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()

/** Every failure says the same, whichever module it is. */
const TESTS = TEST_SCRIPT.replace(
  'echo "not ok $n - $file"; failed=1',
  'printf "not ok %s - %s\\n  ---\\n  message: \'TypeError: the state is not set\'\\n  ...\\n" "$n" "$file"; failed=1',
)
const idea: Step = { write: { file: 'notes.txt', text: 'an idea\n' } }
const forget: Step = { delete: { file: 'notes.txt' } }

verifies(
  [
    'META-BUILD-2',
    'META-BUILD-3',
    'META-BUILD-5',
    'META-BUILD-8',
    'META-BUILD-11',
    'META-IMPROVE-1',
    'META-IMPROVE-2',
    'META-IMPROVE-6',
    'META-IMPROVE-7',
  ],
  'patterns, gotchas and resolutions are asked for, told, and logged; a novel fix that helped is one the next time',
  async () => {
    const scripts = [[[idea], [forget, repair(1)]], [[repair(2)]]]
    // Nothing is kept back: what is shown is what this is about.
    const settings = { lessons: { trial: false } }
    const workspace = shop({ scripts, files: { 'test.sh': TESTS }, settings })
    const daemon = await up(workspace, 1)
    const { client } = daemon
    const { lesson: pattern } = await client.recordLesson({
      body: { type: 'pattern', action: 'build', topic: 'states', payload: { example: 'state: right' } },
    })
    const { lesson: gotcha } = await client.recordLesson({
      body: { type: 'gotcha', action: 'build', topic: 'notes', payload: { avoid: 'leaving notes' } },
    })

    await addRepair(daemon, 1)
    const first = await until(daemon, 1, 'done')
    const { runs } = await client.showItem({ params: { projectNumber: 1, issueNumber: first.number } })
    const [build, , improve] = runs[0]?.history ?? []
    const shown = [pattern.id, gotcha.id].sort()
    expect(build?.applied.map(({ lessonId }) => lessonId).sort()).toEqual(shown)
    const prompt = build?.fixes[0]?.prompt ?? ''
    const told = await client.evidence({ params: { sha256: prompt } })
    expect(told.text).toContain('states: example: state: right')
    expect(told.text).toContain('avoid: leaving notes')
    expect(improve?.fixes).toMatchObject([{ novel: true, lessonId: null, outcome: 'done' }])
    const trailers = workspace.git('log', '-1', '--format=%B', first.headCommit ?? 'none')
    expect(trailers).toContain(`Patterns-applied: ${pattern.id}`)
    expect(trailers).toContain(`Hindsight-used: ${gotcha.id}`)

    const known = (await client.recallLessons({ query: { type: 'resolution' } })).items
    expect(known).toMatchObject([
      { confidence: 0.7, payload: { novel: true, files: ['notes.txt', moduleOf(1)] } },
    ])
    await addRepair(daemon, 2)
    const second = await until(daemon, 2, 'done')
    const again = await client.showItem({ params: { projectNumber: 1, issueNumber: second.number } })
    const followed = again.runs[0]?.history.find(({ phase }) => phase === 'build')
    expect(followed?.fixes).toMatchObject([{ novel: false, lessonId: known[0]?.id, confidence: 0.7 }])
    const advice = await client.evidence({ params: { sha256: followed?.fixes[0]?.prompt ?? '' } })
    expect(advice.text).toContain('This helped before')
    expect(advice.text).toContain('-state: wrong\n+state: right')
    expect((await client.recallLessons({ query: { type: 'resolution' } })).items).toHaveLength(1)
  },
)
