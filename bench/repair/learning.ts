// Does the search learn? Candidates to the first green patch over a stream of faults in one repository, with
// and without memory. Usage: node bench/repair/learning.ts [--limit n] [--cap candidates] [--seconds n]
// [--json]. Progress goes to stderr.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RepairMemory, signatureOf } from '@treadle/repair/memory'
import { repair } from '@treadle/repair/repair'
import { openStore } from '@treadle/store/connect'
import { table } from '../start/numbers.ts'
import type { Bug } from './bug.ts'
import { type Count, ratioOf, shown, times, verdict } from './comparison.ts'
import { lessonsOf, type Met, type Role, roleOf, type Step } from './lessons.ts'
import { library, materialise, testCommandOf } from './materialise.ts'
import { probeFolder, withFolder } from './probe.ts'
import { stream } from './stream.ts'

const repeatsWanted = 10
const novelAllowed = 2

const { values: options } = parseArgs({
  options: {
    limit: { type: 'string' },
    cap: { type: 'string', default: '4000' },
    seconds: { type: 'string', default: '120' },
    json: { type: 'boolean', default: false },
  },
})
const cap = Number(options.cap)

const steps = await withFolder(async (folder) => {
  const store = await openStore({ is: 'embedded', dir: join(folder, 'store') }, { now: () => new Date() })
  try {
    return await play({
      recall: (query) => store.lessons.recall(query),
      record: (lesson) => store.lessons.record(lesson, new Date()),
    })
  } finally {
    await store.close()
  }
})
const repeats = lessonsOf('repeat', steps)
const novel = lessonsOf('novel', steps)
process.stdout.write(options.json ? `${JSON.stringify({ cap, repeats, novel, steps }, null, 2)}\n` : drawn())

async function play(memory: RepairMemory): Promise<Step[]> {
  const played: Step[] = []
  const met: Met[] = []
  for (const bug of stream.slice(0, options.limit === undefined ? stream.length : Number(options.limit))) {
    const signatures = await signaturesOf(bug)
    const now: Met = { slip: bug.kind, signatures }
    const role = roleOf(now, met)
    // One worker each keeps the counts exact; the two together use two cores.
    const [without, withMemory] = await Promise.all([search(bug, null), search(bug, memory)])
    met.push(now)
    const step: Step = { id: bug.id, role, signatures, without, with: withMemory }
    played.push(step)
    process.stderr.write(`${bug.id}: ${role}, ${shown(without)} without, ${shown(withMemory)} with\n`)
  }
  return played
}

async function signaturesOf(bug: Bug): Promise<string[]> {
  return await withFolder(async (root) => {
    materialise(root, bug.program, bug.edits)
    return await probeFolder(root, testCommandOf(library), async ({ split }) => [
      ...new Set(split.failing.flatMap(({ failure }) => (failure === null ? [] : signatureOf(failure)))),
    ])
  })
}

async function search(bug: Bug, memory: RepairMemory | null): Promise<Count> {
  return await withFolder(async (root) => {
    materialise(root, bug.program, bug.edits)
    const found = await repair({
      cwd: root,
      // All tests, and no run of the project's own command afterwards: it would add time and no candidates.
      testCommand: null,
      budgetSeconds: Number(options.seconds),
      maxCandidates: cap,
      workers: 1,
      sandbox: { mode: 'auto' },
      ...(memory === null ? {} : { memory }),
    })
    return { candidates: found.firstGreen?.candidates ?? cap, green: found.firstGreen !== null }
  })
}

function drawn(): string {
  const lines = steps.map((step) => [
    step.id,
    step.role,
    shown(step.without),
    shown(step.with),
    times(ratioOf(step.without.candidates, step.with.candidates)),
    `  ${step.signatures[0] ?? ''}`,
  ])
  const number = (value: number | null) => (value === null ? '-' : value.toFixed(0))
  const words: Record<Role, string> = { repeat: 'repeats', novel: 'novel' }
  const totals = [repeats, novel].map((one) => [
    words[one.role],
    String(one.pairs),
    number(one.medianWithout),
    number(one.medianWith),
    times(one.medianRatio),
    times(one.ratioOfSums),
    times(one.worst),
  ])
  const gained = repeats.ratioOfSums ?? 0
  const lost = novel.worst ?? Number.POSITIVE_INFINITY
  return [
    table(`candidates to the first green patch, at most ${cap}`, [
      ['', '', 'without', 'with memory', 'fewer', '  failure'],
      ...lines,
    ]),
    table('in short', [
      ['', 'steps', 'median without', 'with memory', 'median ratio', 'ratio of sums', 'cost at most'],
      ...totals,
    ]),
    `${verdict(repeats.ratioOfSums, `target ${repeatsWanted} x fewer on all repeats together`, gained >= repeatsWanted)}\n`,
    `${verdict(novel.worst, `target at most ${novelAllowed} x on any novel fault`, lost <= novelAllowed)}\n`,
  ].join('')
}
