// What an audit of packages says, in the layouts of npm, pnpm and the first yarn; and which of it stands in the way.
import { z } from 'zod'

const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'] as const
const Severity = z.enum(SEVERITIES)
type Severity = z.infer<typeof Severity>

export interface Advisory {
  readonly name: string
  readonly severity: Severity
  readonly title: string
  readonly url: string
  /** The versions that it is about. */
  readonly range: string
}

export type Audit =
  | { readonly is: 'read'; readonly advisories: readonly Advisory[] }
  | { readonly is: 'unreadable'; readonly why: string }

const Via = z.object({
  name: z.string(),
  severity: Severity.catch('info'),
  title: z.string().catch(''),
  url: z.string().catch(''),
  range: z.string().catch(''),
})
/** npm since its seventh version: a string in `via` names another package of the same list. */
const NpmReport = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), Via])) })),
})

const OldAdvisory = z.object({
  module_name: z.string(),
  severity: Severity.catch('info'),
  title: z.string().catch(''),
  url: z.string().catch(''),
  vulnerable_versions: z.string().catch(''),
})
/** pnpm, as npm's sixth version was. */
const OldReport = z.object({ advisories: z.record(z.string(), OldAdvisory) })
/** The first yarn: a document on each line. */
const YarnLine = z.object({ type: z.literal('auditAdvisory'), data: z.object({ advisory: OldAdvisory }) })
const YarnSummary = z.object({ type: z.literal('auditSummary') })
const Refusal = z.object({
  message: z.string().optional(),
  error: z
    .union([z.string(), z.object({ summary: z.string().optional(), message: z.string().optional() })])
    .optional(),
})

const whyCharsMax = 300

export function readAudit(output: string): Audit {
  const whole = parseJson(between(output, '{', '}'))
  const npm = NpmReport.safeParse(whole)
  if (npm.success) {
    const found = Object.values(npm.data.vulnerabilities).flatMap(({ via }) => via)
    return read(found.flatMap((each) => (typeof each === 'string' ? [] : [each])))
  }
  const old = OldReport.safeParse(whole)
  if (old.success) return read(Object.values(old.data.advisories).map(fromOld))
  const lines = output.split('\n').map(parseJson)
  if (lines.some((line) => YarnSummary.safeParse(line).success))
    return read(lines.flatMap((line) => YarnLine.safeParse(line).data?.data.advisory ?? []).map(fromOld))
  return { is: 'unreadable', why: refusalIn(whole, output) }
}

function read(found: readonly Advisory[]): Audit {
  const byKey = new Map(found.map((each) => [keyOf(each), each]))
  const rank = ({ severity }: Advisory) => SEVERITIES.indexOf(severity)
  return { is: 'read', advisories: [...byKey.values()].sort((a, b) => rank(a) - rank(b)) }
}

function fromOld({ module_name, severity, title, url, vulnerable_versions }: z.infer<typeof OldAdvisory>) {
  return { name: module_name, severity, title, url, range: vulnerable_versions }
}

/** The same weakness of the same package, however the registry numbers it. */
function keyOf({ name, url, title }: Advisory): string {
  return JSON.stringify([name, url === '' ? title : url])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A manager may say something before and after its document. */
function between(text: string, first: string, last: string): string {
  const from = text.search(new RegExp(`^\\${first}`, 'm'))
  return from < 0 ? '' : text.slice(from, text.lastIndexOf(last) + 1)
}

function refusalIn(whole: unknown, output: string): string {
  const said = Refusal.safeParse(whole).data
  const { error } = said ?? {}
  const words = typeof error === 'string' ? error : (error?.summary ?? error?.message)
  const last = output.trim().split('\n').at(-1) ?? ''
  return (words || said?.message || last || 'it said nothing').replace(/\s+/g, ' ').slice(0, whyCharsMax)
}

export type SeverityCounts = Readonly<Record<Exclude<Severity, 'info'>, number>>

export function countBySeverity(advisories: readonly Advisory[]): SeverityCounts {
  const of = (wanted: Severity) => advisories.filter(({ severity }) => severity === wanted).length
  return { critical: of('critical'), high: of('high'), moderate: of('moderate'), low: of('low') }
}

export interface AuditVerdict {
  /** High or critical, and not there before the change. */
  readonly blocking: readonly Advisory[]
  /** From moderate up: what does not block. */
  readonly told: readonly { readonly advisory: Advisory; readonly known: boolean }[]
}

/** `before`: what the base has; null where that is not known, and then everything is new. */
export function judgeAudit(now: readonly Advisory[], before: readonly Advisory[] | null): AuditVerdict {
  const known = new Set((before ?? []).map(keyOf))
  const isKnown = (advisory: Advisory) => known.has(keyOf(advisory))
  const grave = ({ severity }: Advisory) => severity === 'high' || severity === 'critical'
  const worthTelling = ({ severity }: Advisory) => severity !== 'low' && severity !== 'info'
  const blocking = now.filter((each) => grave(each) && !isKnown(each))
  const told = now
    .filter((each) => worthTelling(each) && !blocking.includes(each))
    .map((advisory) => ({ advisory, known: isKnown(advisory) }))
  return { blocking, told }
}
