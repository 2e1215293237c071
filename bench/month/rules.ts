// What must hold in every month, whatever the seed; each rule is looked at by the month's own books.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import type { Config } from '@treadle/contracts/config'
import type { StoredEvent } from '@treadle/contracts/event'
import { type Books, dayOf, type LookBook } from './books.ts'

const RULES = [
  'least_recently_used',
  'left_alone',
  'caps',
  'ideation_budget',
  'budget',
  'quiet_hours',
  'enough_to_do',
  'rest_after_failures',
  'answers',
  'duplicate',
  'looks_end',
  'asleep',
  'dead_without_alert',
  'queue',
  'coverage',
  'figures',
  'daemon',
] as const
export type Rule = (typeof RULES)[number]

export interface Broken {
  readonly rule: Rule
  readonly at: string
  readonly words: string
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** As the product has them; a rule that took them from there would change with them. */
const VALUE_MIN = 5
const VALUED_MIN = 3
const ABOUT = 0.000_01
/** More of the same says nothing new. */
const BROKEN_MAX = 200

export class Rules {
  readonly broken: Broken[] = []
  readonly #books: Books
  readonly #config: Config
  #asleepSince: number | null = null

  constructor(books: Books, config: Config) {
    this.#books = books
    this.#config = config
  }

  get #enabled(): readonly Category[] {
    return CATEGORIES.filter((category) => this.#config.agents.enabledCategories.includes(category))
  }

  report(rule: Rule, at: number, words: string): void {
    if (this.broken.length < BROKEN_MAX) this.broken.push({ rule, at: new Date(at).toISOString(), words })
  }

  /** Before the books take it in: what was asked for is judged by what was known until then. */
  before({ event, at: told }: StoredEvent): void {
    if (event.type !== 'thought.asked' || event.kind !== 'category_idea') return
    const category = CATEGORIES.find((name) => name === event.subject)
    if (category === undefined || this.#books.retries.has(category)) return
    this.#asked(category, Date.parse(told))
  }

  /** Once the books have taken it in. */
  after({ event, at: told, id }: StoredEvent): void {
    const at = Date.parse(told)
    if (event.type === 'claim.taken') this.#claimed(at)
    if (event.type === 'cost.logged') this.#paid(at)
    if (event.type === 'idea.generated') this.#generated(id, at)
    if (event.type === 'idea.rejected') this.#rejected(id.slice('idea-rejected:'.length), event.outcome, at)
  }

  // ── A look begins ─────────────────────────────────────────────────────────────────────────────

  #asked(category: Category, at: number): void {
    this.#brakes(category, at)
    const why = this.whyOff(category, at)
    if (why !== null) {
      this.report('left_alone', at, `${category} is looked at, but ${why}`)
      return
    }
    const { lastUsed } = this.#books
    const free = this.#enabled.filter((each) => this.whyOff(each, at) === null)
    const [oldest] = free.toSorted((a, b) => (lastUsed.get(a) ?? 0) - (lastUsed.get(b) ?? 0))
    if (oldest !== undefined && (lastUsed.get(oldest) ?? 0) < (lastUsed.get(category) ?? 0))
      this.report('least_recently_used', at, `${category} is looked at, and ${oldest} waits longer`)
  }

  #brakes(category: Category, at: number): void {
    const books = this.#books
    const { ideas, agents, monitoring } = this.#config
    const day = dayOf(at)
    // With as many as that waiting, it is asked of an agent that is about to take one of them.
    if (books.depth > monitoring.queueLow)
      this.report('enough_to_do', at, `${category} is looked at while ${books.depth} items wait`)
    if (isQuiet(ideas.quietHours, at))
      this.report('quiet_hours', at, `${category} is looked at in quiet hours`)
    const underWay = books.openLooks().length
    if (books.open + underWay >= ideas.openMax)
      this.report('caps', at, `${books.open} are open and ${underWay} looked for, of ${ideas.openMax}`)
    if (books.createdOn(day) >= ideas.perDay)
      this.report('caps', at, `the day has brought ${books.createdOn(day)} already`)
    const spent = books.spentOnLooks.get(day) ?? 0
    if (spent >= agents.ideationBudgetUSD)
      this.report('ideation_budget', at, `a look is begun after ${dollars(spent)} of that day`)
    if ((books.spent.get(day) ?? 0) >= agents.dailyBudgetUSD * 0.9)
      this.report('budget', at, `a look is begun after ${dollars(books.spent.get(day) ?? 0)} of that day`)
    const rest = restMs(books.failedInRow)
    if (at < books.lastFailedAt + rest)
      this.report(
        'rest_after_failures',
        at,
        `a look is begun ${at - books.lastFailedAt} ms after the last failed`,
      )
  }

  /** Why a category is not to be looked at; null: it may be. */
  whyOff(category: Category, at: number): string | null {
    const books = this.#books
    const until = books.leftAlone.get(category) ?? 0
    if (until > at) return `it is to be left alone until ${new Date(until).toISOString()}`
    if (books.openLooks().some((look) => look.category === category)) return 'somebody is looking'
    if (books.openOf(category) > 10) return `${books.openOf(category)} of it are open`
    const points = books.pointsOf(category, at)
    const mean = points.reduce((a, b) => a + b, 0) / points.length
    if (points.length >= VALUED_MIN && mean < VALUE_MIN) return `it is worth ${mean.toFixed(1)} points`
    if (books.createdOn(dayOf(at), category) >= this.#config.ideas.perCategoryPerDay)
      return 'it has brought enough that day'
    return null
  }

  /** Whoever takes one of the last items looks first, or somebody else looks. */
  #claimed(at: number): void {
    const { depth } = this.#books
    if (depth >= this.#config.monitoring.queueLow || this.#books.openLooks().length > 0) return
    if (this.whyNobodyLooks(at) === null)
      this.report('queue', at, `an item is taken, ${depth} are left, and nobody looks`)
  }

  // ── Answers and money ─────────────────────────────────────────────────────────────────────────

  #paid(at: number): void {
    const { agents } = this.#config
    const { spent, spentOnLooks } = this.#books
    const day = dayOf(at)
    const over = (sum: number, limit: number) => sum > limit + ABOUT
    const today = spent.get(day) ?? 0
    if (over(today, agents.dailyBudgetUSD)) this.report('budget', at, `${dollars(today)} on one day`)
    const looks = spentOnLooks.get(day) ?? 0
    if (over(looks, agents.ideationBudgetUSD))
      this.report('ideation_budget', at, `${dollars(looks)} for looks on one day`)
    const month = this.#books.spentSince(day, new Date(at).getUTCDate())
    if (over(month, agents.monthlyBudgetUSD)) this.report('budget', at, `${dollars(month)} in one month`)
  }

  #generated(id: string, at: number): void {
    const look = this.#books.looks.get(id.slice('idea-generated:'.length))
    if (look === undefined) return
    this.#deserved(look, 'project', at)
    const { title = null } = look.said ?? {}
    const same = [...this.#books.items.values()].filter((item) => isSame(item.title, title))
    if (same.length > 1)
      this.report(
        'duplicate',
        at,
        `"${title}" was made ${same.length} times: ${same.map(({ number }) => `#${number}`)}`,
      )
  }

  #rejected(thought: string, outcome: string, at: number): void {
    const look = this.#books.looks.get(thought)
    if (look !== undefined && look.said !== null) this.#deserved(look, outcome, at)
  }

  #deserved({ said, category }: LookBook, outcome: string, at: number): void {
    if (said === null) return
    const deserved = said.verdict === 'idea' ? 'project' : said.verdict
    if (outcome !== deserved)
      this.report(
        'answers',
        at,
        `${category}: an answer that is ${deserved} was taken as ${outcome}: ${said.title}`,
      )
  }

  /** At the end of a month that was long enough for each category to have its turn. */
  end(at: number): void {
    const { lastUsed } = this.#books
    const never = this.#enabled.filter((category) => !lastUsed.has(category))
    if (never.length > 0) this.report('coverage', at, `nobody has looked at ${never.join(', ')}`)
  }

  // ── As time passes ────────────────────────────────────────────────────────────────────────────

  /** `isAnybodyFree`: an agent whose process runs and that has nothing to do. */
  pass(at: number, isAnybodyFree: boolean): void {
    for (const look of this.#books.openLooks()) this.#ends(look, at)
    const isAwake = !isAnybodyFree || this.#books.openLooks().length > 0 || this.whyNobodyLooks(at) !== null
    if (isAwake) {
      this.#asleepSince = null
      return
    }
    this.#asleepSince ??= at
    if (at - this.#asleepSince !== HOUR) return
    this.report(
      'asleep',
      at,
      `${this.#books.depth} items wait, nothing keeps anybody from looking, and nobody has looked for an hour`,
    )
  }

  #ends(look: LookBook, at: number): void {
    const late = look.endedAt === null ? look.askedAt + 2 * HOUR : look.endedAt + HOUR
    // Said once, at the first look after it.
    if (at < late || at >= late + 15 * MINUTE) return
    this.report(
      'looks_end',
      at,
      `the look at ${look.category} of ${new Date(look.askedAt).toISOString()} has no end`,
    )
  }

  /** Null: somebody should look. */
  whyNobodyLooks(at: number): string | null {
    const books = this.#books
    const { ideas, agents, monitoring } = this.#config
    const day = dayOf(at)
    if (books.depth >= monitoring.queueLow) return 'enough to do'
    if (isQuiet(ideas.quietHours, at)) return 'quiet hours'
    if (books.open >= ideas.openMax) return 'as many are open as may be'
    if (books.createdOn(day) >= ideas.perDay) return 'enough for the day'
    if ((books.spentOnLooks.get(day) ?? 0) + this.lookUSD(at) > agents.ideationBudgetUSD)
      return 'the budget of looks'
    if ((books.spent.get(day) ?? 0) >= agents.dailyBudgetUSD * 0.9) return 'the budget of the day'
    if (books.spentSince(day, new Date(at).getUTCDate()) >= agents.monthlyBudgetUSD * 0.9)
      return 'the budget of the month'
    if (at < books.lastFailedAt + restMs(books.failedInRow)) return 'nobody answered'
    return this.#enabled.some((category) => this.whyOff(category, at) === null)
      ? null
      : 'nothing is worth doing'
  }

  /** What a look may cost at that time. */
  lookUSD: (at: number) => number = () => 0
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && plain(one) === plain(other)
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/\bthe\b|[.]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function restMs(failedInRow: number): number {
  return failedInRow === 0 ? 0 : Math.min(HOUR, MINUTE * 2 ** Math.min(10, failedInRow - 1))
}

function isQuiet(hours: string | null, at: number): boolean {
  if (hours === null) return false
  const [from = 0, to = 0] = hours
    .split('-')
    .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
  const now = new Date(at)
  const minute = now.getHours() * 60 + now.getMinutes()
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to
}

function dollars(sum: number): string {
  return `$${sum.toFixed(2)}`
}
