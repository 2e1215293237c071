// Folds test results into the answer of `npm run trace`. Pure.
import type { TestResult, TierResults } from './trace-results.ts'

export type Row = { id: string; group: string; deferred?: string }
type GroupReport = { total: number; verified: number; deferred: number; missing: string[] }
type TierReport = { ageSeconds: number; whole: boolean; tests: number; notRun: number }
export type TraceReport = {
  total: number
  verified: number
  deferred: number
  ran: boolean
  tree: string
  /** What to run where there are no results. */
  command: string
  ageSeconds: number | null
  tiers: Record<string, TierReport>
  failed: string[]
  notRun: string[]
  notLoaded: string[]
  verifiedThoughDeferred: string[]
  manyIds: { title: string; ids: number }[]
  groups: Record<string, GroupReport>
}
export type TraceFacts = { rows: readonly Row[]; results: readonly TierResults[]; tree: string; now: number }

const idsMax = 3

export function foldReport({ rows, results, tree, now }: TraceFacts): TraceReport {
  // Without a known tree nothing says that the results belong to these sources.
  const current = tree === 'unknown' ? [] : results.filter((result) => result.tree === tree)
  const files = current.flatMap((result) => Object.entries(result.files))
  const tests = files.flatMap(([file, result]) => result.tests.map((test) => ({ ...test, file })))
  const verified = verifiedIds(tests)
  const groups = foldGroups(rows, verified)
  const counts = Object.values(groups)
  const ages = current.map((result) => age(result, now))
  return {
    total: rows.length,
    verified: counts.reduce((sum, group) => sum + group.verified, 0),
    deferred: counts.reduce((sum, group) => sum + group.deferred, 0),
    ran: current.length > 0,
    tree,
    command: 'npm run trace -- --run',
    ageSeconds: ages.length > 0 ? Math.max(...ages) : null,
    tiers: Object.fromEntries(current.map((result) => [result.tier, foldTier(result, now)])),
    failed: tests.filter((test) => test.state === 'failed').map(name),
    notRun: tests.filter((test) => test.state === 'not-run').map(name),
    notLoaded: files.filter(([, result]) => !result.loaded).map(([file]) => file),
    verifiedThoughDeferred: rows.filter((row) => row.deferred && verified.has(row.id)).map((row) => row.id),
    manyIds: tests
      .filter((test) => test.ids.length > idsMax)
      .map((test) => ({ title: name(test), ids: test.ids.length })),
    groups,
  }
}

function verifiedIds(tests: readonly TestResult[]): Set<string> {
  const passed = tests.filter((test) => test.state === 'passed').flatMap((test) => test.ids)
  const failed = new Set(tests.filter((test) => test.state === 'failed').flatMap((test) => test.ids))
  return new Set(passed.filter((id) => !failed.has(id)))
}

function foldGroups(rows: readonly Row[], verified: ReadonlySet<string>): Record<string, GroupReport> {
  const groups: Record<string, GroupReport> = {}
  for (const row of rows) {
    groups[row.group] ??= { total: 0, verified: 0, deferred: 0, missing: [] }
    const group = groups[row.group] as GroupReport
    group.total += 1
    if (verified.has(row.id)) group.verified += 1
    else if (row.deferred) group.deferred += 1
    else group.missing.push(row.id)
  }
  return Object.fromEntries(Object.entries(groups).sort(([a], [b]) => a.localeCompare(b)))
}

function foldTier(result: TierResults, now: number): TierReport {
  const tests = Object.values(result.files).flatMap((file) => file.tests)
  const notRun = tests.filter((test) => test.state === 'not-run').length
  return { ageSeconds: age(result, now), whole: result.whole, tests: tests.length, notRun }
}

function age(result: TierResults, now: number): number {
  return Math.max(0, Math.round((now - Date.parse(result.at)) / 1000))
}

function name(test: TestResult & { file: string }): string {
  return `${test.file}: ${test.title}`
}

export function formatReport(report: TraceReport): string {
  const width = Math.max(5, ...Object.keys(report.groups).map((group) => group.length))
  const row = (cells: (string | number)[], tail = ''): string => {
    const [head = '', ...numbers] = cells
    return `${String(head).padEnd(width)}${numbers.map((cell) => String(cell).padStart(10)).join('')}${tail}`.trimEnd()
  }
  const lines = [row(['group', 'total', 'verified', 'deferred', 'missing'])]
  for (const [group, { total, verified, deferred, missing }] of Object.entries(report.groups)) {
    lines.push(row([group, total, verified, deferred, missing.length], shorten(missing)))
  }
  const missing = report.total - report.verified - report.deferred
  lines.push(row(['all', report.total, report.verified, report.deferred, missing]), '')
  lines.push(...formatRuns(report))
  lines.push(...list('failed', report.failed), ...list('could not be loaded', report.notLoaded))
  lines.push(...list('not run', report.notRun))
  lines.push(...list('verified although deferred (remove the mark)', report.verifiedThoughDeferred))
  const many = report.manyIds.map(({ title, ids }) => `${ids}  ${title}`)
  lines.push(...list(`tests that cite more than ${idsMax} requirements`, many))
  return `${lines.join('\n')}\n`
}

function formatRuns(report: TraceReport): string[] {
  if (!report.ran) {
    const why =
      report.tree === 'unknown' ? 'this folder is no git checkout' : `no results for tree ${report.tree}`
    return ['verified: 0, ran: false', `${why}; run: ${report.command}`]
  }
  const tiers = Object.entries(report.tiers).map(([tier, { ageSeconds, whole, tests }]) => {
    return `${tier}: ${tests} tests, ${ago(ageSeconds)}${whole ? '' : ', some files only'}`
  })
  return [`verified: ${report.verified}, ran: true, tree ${report.tree}`, ...tiers]
}

function shorten(ids: readonly string[]): string {
  if (ids.length === 0) return ''
  return `  ${ids.slice(0, 3).join(' ')}${ids.length > 3 ? ' …' : ''}`
}

function list(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : ['', `${title}:`, ...entries.map((entry) => `  ${entry}`)]
}

function ago(seconds: number): string {
  if (seconds < 120) return `${seconds} s ago`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min ago`
  return `${Math.round(seconds / 3600)} h ago`
}
