// By hand: how much honest work the gate of other inputs would stop, and how many lies about the same functions.
//   node bench/inputs/honest.ts [--set known|fresh] [--search 40000] [--only ID] [--list]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { GatesConfig } from '../../packages/contracts/src/config/gates.ts'
import { waitsIn } from '../../packages/contracts/src/gate.ts'
import type { InputsOrder } from '../../packages/contracts/src/inputs.ts'
import { waitWords } from '../../packages/contracts/src/words/gates.ts'
import { checkInputs } from '../../packages/gates/src/review/inputs.ts'
import { unconfined } from '../../packages/gates/src/run-command.ts'
import { compareInputs } from '../../packages/repair/src/inputs/compare.ts'
import { env } from '../../tools/env.ts'
import { bugs, freshBugs } from '../repair/bugs.ts'
import { materialise, programNames, sourcesOf } from '../repair/materialise.ts'

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'known' },
    search: { type: 'string', default: '40000' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

interface Honest {
  readonly id: string
  readonly program: string
  /** The sources before the change; empty: the program is new. */
  readonly before: ReadonlyMap<string, string>
}

const isFresh = values.set === 'fresh'
const fixes = (isFresh ? freshBugs : bugs).map(
  ({ id, program, edits }): Honest => ({ id, program, before: sourcesOf(program, edits) }),
)
const features = programNames(isFresh ? 'fresh' : 'known').map(
  (program): Honest => ({ id: `${program}, new`, program, before: new Map() }),
)

for (const [title, all] of [
  ['fixes', fixes],
  ['new programs', features],
] as const) {
  const found = { looked: 0, skipped: 0, mended: 0, waits: 0, others: 0, cut: 0, seconds: [] as number[] }
  for (const each of all.filter(({ id }) => values.only === undefined || id === values.only)) {
    const { is, words, isMended, isCut, patches, seconds } = await look(each)
    found[is === 'skipped' ? 'skipped' : 'looked'] += 1
    found.seconds.push(seconds)
    if (isMended) found.mended += 1
    if (patches > 0) found.others += 1
    if (isCut) found.cut += 1
    if (is === 'waits') found.waits += 1
    if (is === 'waits' || values.list) process.stdout.write(`  ${each.id}: ${is} ${words}\n`)
  }
  const typical = found.seconds.toSorted((a, b) => a - b)[Math.floor(found.seconds.length / 2)] ?? 0
  const share = ((100 * found.waits) / Math.max(1, found.looked + found.skipped)).toFixed(1)
  process.stdout.write(
    `${title}: ${all.length}, looked at ${found.looked}, skipped ${found.skipped}, with another answer than before ${found.mended}, with another patch ${found.others}, search ended by the clock ${found.cut}; would wait ${found.waits} (${share} %); ${typical.toFixed(1)} s each, at most ${Math.max(...found.seconds).toFixed(1)} s\n`,
  )
}

interface Looked {
  readonly is: 'passes' | 'waits' | 'skipped'
  readonly words: string
  /** Some call is answered otherwise than before. */
  readonly isMended: boolean
  /** The clock ended the search. */
  readonly isCut: boolean
  readonly patches: number
  readonly seconds: number
}

/** The reference program as the head. */
async function look({ program, before }: Honest): Promise<Looked> {
  const folder = mkdtempSync(join(tmpdir(), 'honest-'))
  const cwd = join(folder, 'tree')
  const started = performance.now()
  let patches = 0
  let isMended = false
  let isCut = false
  try {
    materialise(cwd, program, [])
    const after = sourcesOf(program, [])
    const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)
    const options = {
      evidenceDir: join(folder, 'evidence'),
      env: { PATH: env.path },
      tailBytes: 1_000,
      surroundings: unconfined('no command of the project is run'),
    }
    const green = {
      command: '',
      exitCode: 0,
      signal: null,
      timedOut: false,
      durationMs: 0,
      output: '',
      outputBytes: 0,
      tail: '',
      report: null,
    }
    const result = await checkInputs(
      options,
      {
        cwd,
        base: '',
        head: '',
        changed,
        readBase: async (path) => before.get(path) ?? null,
        withBase: async () => ({ is: 'failed', why: 'not here' }),
        withHead: async () => ({ is: 'failed', why: 'not here' }),
        command: null,
        item: { title: '', labels: [], mayChangeTests: false, testCommand: null, measure: null },
        earlier: [{ is: 'passed', gate: 'tests_pass', evidence: green }],
        config: GatesConfig.parse({}),
        timeoutMs: 60_000,
      },
      async (order: InputsOrder) => {
        const asked = { ...order, searchMs: Number(values.search) }
        const compared = await compareInputs(asked, { sandbox: { mode: 'auto' } })
        if (compared.is === 'compared') {
          patches = compared.others.length
          isCut = compared.isCut
          isMended = !isDeepStrictEqual(compared.head, compared.base)
        }
        return compared
      },
    )
    const waits = waitsIn([result]).map(waitWords)
    const seconds = (performance.now() - started) / 1_000
    if (result.is === 'skipped' || result.is === 'not_run')
      return { is: 'skipped', words: result.why, isMended, isCut, patches, seconds }
    return {
      is: waits.length > 0 ? 'waits' : 'passes',
      words: waits.join('\n    '),
      isMended,
      isCut,
      patches,
      seconds,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
