// Where a change went another way than the plan: facts by rule, and UNKNOWN where no rule can tell.
import type { Criterion, Item } from '@treadle/contracts/item'
import type { Plan } from '@treadle/contracts/paor'
import type { Divergence } from '@treadle/contracts/retrospective'
import { divergenceOf } from './divergence.ts'

export interface PlannedFacts {
  readonly item: Pick<Item, 'title' | 'body' | 'acceptance' | 'mayChangeTests' | 'approval'>
  /** Of a goal, oldest first. */
  readonly plans: readonly Plan[]
  /** What people said to the run. */
  readonly guidance: readonly string[]
  /** What the engine said of its change. */
  readonly summary: string
  /** Files that the task of a specification is about, beside what words name. */
  readonly meant?: readonly string[]
  readonly changed: readonly string[]
  /** Which of the changed files were not there before. */
  readonly added: ReadonlySet<string>
  /** Files that the failures before the change point at. */
  readonly suspected: readonly string[]
  readonly passed: boolean
  /** Globs of the patterns that the run was shown. */
  readonly followed: (path: string) => boolean
}

const DIVERGENCES_MAX = 100
const FILE = /(?<![\w/.@-])(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[a-z][a-z0-9]{0,7}(?![\w/])/gi
const ABBREVIATED: ReadonlySet<string> = new Set(['e.g', 'i.e', 'node.js', 'vue.js', 'next.js'])
const TEST = /(^|\/)(tests?|specs?|__tests__)\/|[._-](test|spec)\.[a-z]+$|(^|\/)test_[^/]+$|_test\.[a-z]+$/i
const PROSE = /\.(md|mdx|rst|adoc|txt)$/i
const SKIPPED = /\b(skip|skipped|leave|left|not needed|not necessary|without|instead of|out of scope)\b/i

export function isTestFile(path: string): boolean {
  return TEST.test(path)
}

export function divergencesOf(facts: PlannedFacts): Divergence[] {
  const words = filesNamed(planText(facts))
  const named = [...new Set([...words, ...(facts.meant ?? [])])]
  return [
    ...additions(facts, named),
    // What a task leaves out of its own file is told by the task.
    ...omissions(
      facts,
      words.filter((name) => facts.meant?.includes(name) !== true),
    ),
    ...missedCriteria(facts),
    ...modifications(facts),
  ].slice(0, DIVERGENCES_MAX)
}

function planText({ item, plans }: PlannedFacts): string {
  const tasks = plans.flatMap((plan) => [plan.why, ...plan.scope, ...plan.tasks.map(({ text }) => text)])
  return [item.title, item.body, ...item.acceptance.map(({ text }) => text), ...tasks].join('\n')
}

/** What looks like a path, or like the name of a file. */
export function filesNamed(text: string): string[] {
  return [...new Set(text.match(FILE) ?? [])].filter((name) => !ABBREVIATED.has(name.toLowerCase()))
}

function isNamed(path: string, named: readonly string[]): boolean {
  return named.some((name) => path === name || path.endsWith(`/${name}`))
}

function additions(facts: PlannedFacts, named: readonly string[]): Divergence[] {
  return facts.changed.flatMap((path) => {
    const found =
      isNamed(path, named) || facts.suspected.includes(path) ? null : benefitOf(path, facts, named)
    if (found === null) return []
    const { beneficial, why } = found
    const followsPattern = facts.followed(path)
    return [divergenceOf({ type: 'addition', beneficial, followsPattern }, `${path} changed`, why)]
  })
}

/** Null: it is no divergence that a file was changed which the plan does not name. */
function benefitOf(
  path: string,
  { added, suspected, followed }: PlannedFacts,
  named: readonly string[],
): { beneficial: boolean | null; why: string } | null {
  if (isTestFile(path)) return added.has(path) ? { beneficial: true, why: 'a new test' } : null
  if (PROSE.test(path)) return { beneficial: true, why: 'it is documentation' }
  if (followed(path)) return { beneficial: true, why: 'it follows a pattern that was shown' }
  // Without a file in the plan nobody can say that this one was not meant.
  if (named.length === 0) return null
  return isElsewhere(path, [...named, ...suspected])
    ? { beneficial: false, why: 'no file of its folder is in the plan, and no failure points there' }
    : { beneficial: null, why: 'the plan does not name it, and it is near what the plan names' }
}

/** In another top folder than everything that was meant; a bare name may be anywhere. */
function isElsewhere(path: string, meant: readonly string[]): boolean {
  const places = meant.filter((name) => name.includes('/')).map(topOf)
  return places.length === meant.length && !places.includes(topOf(path))
}

function topOf(path: string): string {
  return path.includes('/') ? (path.split('/', 1)[0] ?? '') : ''
}

function omissions({ changed, passed, ...facts }: PlannedFacts, named: readonly string[]): Divergence[] {
  return named
    .filter((name) => !changed.some((path) => isNamed(path, [name])))
    .map((name) => {
      const said = saidOf(facts, name)
      const intentional = said === null ? missed(passed) : true
      const why = said ?? (passed ? 'it passed, so it may only have been mentioned' : 'the run did not pass')
      return divergenceOf(
        { type: 'omission', intentional },
        `${name} is in the plan and was not changed`,
        why,
      )
    })
}

const missed = (passed: boolean): false | null => (passed ? null : false)

/** Somebody said that it was to be left, or the engine said that it left it. */
function saidOf({ guidance, summary }: Pick<PlannedFacts, 'guidance' | 'summary'>, name: string) {
  const sentences = [...guidance, ...summary.split(/(?<=[.!?])\s|\n/)]
  return sentences.find((sentence) => sentence.includes(name) && SKIPPED.test(sentence)) ?? null
}

function missedCriteria({ item, passed }: PlannedFacts): Divergence[] {
  const waived = item.approval?.kind === 'human'
  const isMissed = ({ status }: Criterion) => status === 'not_met' || (status === 'pending' && !passed)
  return item.acceptance
    .filter(isMissed)
    .map(({ text }) =>
      divergenceOf(
        { type: 'omission', intentional: waived },
        `not met: ${text}`,
        waived ? `${item.approval?.by} approved it all the same` : 'nobody said that it may be left out',
      ),
    )
}

function modifications({ item, plans, changed, added, passed }: PlannedFacts): Divergence[] {
  const tests = item.mayChangeTests ? [] : changed.filter((path) => isTestFile(path) && !added.has(path))
  const [first, ...later] = plans
  return [
    ...tests.map((path) =>
      divergenceOf(
        { type: 'modification', improvement: false },
        `${path} was changed`,
        'existing tests were not to be changed',
      ),
    ),
    ...(first === undefined || later.length === 0
      ? []
      : [
          divergenceOf(
            { type: 'modification', improvement: passed },
            `the first plan was replaced ${later.length === 1 ? 'once' : `${later.length} times`}`,
            passed ? 'the goal was reached that way' : 'the goal was not reached that way either',
          ),
        ]),
  ]
}
