// How thoroughly a build is validated: said with its approval, or asked, and what the level leaves out of its gates.
import type { BuildView } from '@treadle/contracts/build'
import type { QuestionRecord } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { begun, landed, play, start, taskOf } from '../build/hand-build.ts'
import { type GivenTask, specify } from '../build/spec-tasks.ts'
import { run } from '../kit/command.ts'
import { approve } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'

const clock = new LedClock()
const COVERED = "printf 'TN:\\nSF:README.md\\nDA:1,1\\nLF:1\\nLH:1\\nend_of_record\\n' > lcov.info"
const open = useInProcess('any', {
  clock,
  settings: {
    limits: { sweepMs: 300 },
    gates: { coverage: { threshold: 1, command: COVERED, report: 'lcov.info' } },
  } as never,
})
/** Whoever looks lets the daemon look again. */
const sweep = <T>(what: string, look: () => Promise<T | undefined>) =>
  eventually(what, () => {
    clock.pass(300)
    return look()
  })

const tasks = (...files: string[]): GivenTask[] => files.map((file, nth) => ({ id: `T${nth + 1}`, file }))
const about = async ({ client }: InProcessDaemon, { id }: BuildView): Promise<QuestionRecord[]> =>
  (await client.listQuestions({ query: {} })).items.filter(
    (each) => each.sessionId === `build:${id}` && each.event === 'validation_level_needed',
  )
const asked = (daemon: InProcessDaemon, build: BuildView) =>
  sweep('the level is asked', async () => (await about(daemon, build))[0])
const level = ({ client }: InProcessDaemon, slug: string) =>
  sweep(`the level of ${slug}`, async () => {
    const { validation } = await client.showBuild({ params: { id: slug } })
    return validation ?? undefined
  })

verifies(
  'AGENT-QUESTION-28',
  'a build without a level asks once and waits for nothing; a person’s answer is its level, what is recommended goes by what it touches, and silence leaves out nothing',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const small = await start(daemon, 'small', tasks('a.txt'))
    const harmless = await start(daemon, 'harmless', tasks('a.md', 'b.md', 'c.md', 'd.css'))
    const plain = await start(daemon, 'plain', tasks('a.ts', 'b.ts', 'c.ts', 'd.ts'))
    const first = await asked(daemon, harmless)
    expect(first).toMatchObject({
      type: 'clarifying',
      blocking: false,
      status: 'open',
      agent: 'validation',
      defaultOption: 'Standard',
      options: ['Quick', 'Standard', 'Thorough', 'Comprehensive', 'Release'].map((label) => ({ label })),
    })
    expect(first.text).toContain('Going by what was changed: Standard')
    const second = await asked(daemon, plain)
    expect(second.defaultOption).toBe('Thorough')
    const [table, ...rest] = tasks('db/1.sql', 'e.md', 'f.md', 'g.md')
    if (table === undefined) throw new Error('there is a table')
    const database = await start(daemon, 'database', [{ ...table, phase: 'database' }, ...rest])
    expect((await asked(daemon, database)).defaultOption).toBe('Comprehensive')
    expect(plain).toMatchObject({ status: 'running', validation: null })
    await client.answerQuestion({ params: { id: second.id }, body: { text: 'Release', by: 'ada' } })
    expect(await level(daemon, 'plain')).toBe('release')
    clock.pass(24 * 3_600_000)
    await sweep('nobody has answered', async () => {
      const [only] = await about(daemon, harmless)
      return only?.status === 'defaulted' ? true : undefined
    })
    // Whoever is answered after that has been looked at together with it.
    const later = await start(daemon, 'later', tasks('a.py', 'b.py', 'c.py', 'd.py'))
    const third = await asked(daemon, later)
    await client.answerQuestion({ params: { id: third.id }, body: { text: 'Quick', by: 'ada' } })
    expect(await level(daemon, 'later')).toBe('quick')
    expect((await client.showBuild({ params: { id: 'harmless' } })).validation).toBeNull()
    expect(await about(daemon, harmless)).toHaveLength(1)
    expect(await about(daemon, small)).toEqual([])
    const shown = await run(workspace, ['build', 'show', 'plain'])
    expect(shown.stdout).toMatch(/Validation +release \(about 2h; up to full regression/)
  },
)

/** What became of a gate, in the last review of an item. */
async function gatesOf({ client }: InProcessDaemon, issueNumber: number): Promise<Map<string, string>> {
  const { items } = await client.listReviews({ query: { projectNumber: 1, issueNumber, limit: 1 } })
  return new Map((items[0]?.checks ?? []).map((gate) => [gate.gate, 'why' in gate ? gate.why : gate.is]))
}

verifies(
  'AGENT-QUESTION-27',
  'the level that was said with the approval chooses the gates, never those that keep a lie out, and the receipt names it',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const { revision } = await specify(daemon, 'quick', tasks('one.txt'))
    const said = await run(workspace, [
      'spec',
      'approve',
      'quick',
      '--revision',
      `${revision}`,
      '--validation',
      'quick',
    ])
    expect(said.stderr).toBe('')
    const build = await begun(client, 'quick')
    expect(build.validation).toBe('quick')
    await play(daemon, taskOf(build, 'T1').number, { 'one.txt': 'T1\n' })
    await landed(client, taskOf(build, 'T1').number)
    await begun(client, 'quick', ({ counts }) => counts.complete === 1)
    await play(daemon, build.delivery ?? 0, { 'one.txt': 'T1\n' })
    const gates = await sweep('the delivery is checked', async () => {
      const found = await gatesOf(daemon, build.delivery ?? 0)
      return found.has('mutation') ? found : undefined
    })
    for (const name of ['tests_pass', 'secrets', 'test_integrity', 'capabilities'])
      expect(gates.get(name)).toMatch(/^passed/)
    const left = (from: string) => `not looked at by the validation level quick; from ${from} on it is`
    expect(gates.get('coverage_pass')).toBe(left('standard'))
    expect(gates.get('documentation')).toBe(left('standard'))
    expect(gates.get('other_inputs')).toBe(left('thorough'))
    expect(gates.get('other_conditions')).toBe(left('thorough'))
    expect(gates.get('security')).toBe(left('comprehensive'))
    expect(gates.get('mutation')).toBe(left('comprehensive'))
    for (const name of ['witness', 'loads', 'assertions']) expect(gates.get(name)).not.toContain('level')
    await sweep(
      'it waits for a person',
      async () =>
        (await client.showItem({ params: { projectNumber: 1, issueNumber: build.delivery ?? 0 } })).item
          .needsHuman || undefined,
    )
    await approve({ client, ref: { projectNumber: 1, number: build.delivery ?? 0 } })
    await landed(client, build.delivery ?? 0)
    const { receipt } = await client.showReceipt({
      params: { projectNumber: 1, issueNumber: build.delivery ?? 0 },
    })
    expect(receipt?.predicate.build?.validation).toBe('quick')

    // A task is checked as its whole is only for a release.
    const checked = async (slug: string, validation: 'comprehensive' | 'release') => {
      const { revision: read } = await specify(daemon, slug, tasks(`${slug}.txt`))
      await client.approveSpecification({
        params: { id: slug },
        body: { by: 'ada', revision: read, validation },
      })
      const begunBuild = await begun(client, slug)
      const { number } = taskOf(begunBuild, 'T1')
      await play(daemon, number, { [`${slug}.txt`]: 'T1\n' })
      return sweep('the task is checked', async () => {
        const found = await gatesOf(daemon, number)
        return found.size > 0 ? found : undefined
      })
    }
    expect((await checked('whole', 'comprehensive')).has('witness')).toBe(false)
    expect((await checked('tasks', 'release')).has('witness')).toBe(true)
  },
)
