// What other programs put before each line of a runner's output: the time, or whose line it is.

const stamp = String.raw`(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?`
// GitHub names the job and the step before the time, GitLab a stream behind it.
const timed = new RegExp(
  String.raw`^\uFEFF?(?:[^\t\n]{1,100}\t[^\t\n]{1,100}\t)?\uFEFF?(?:\[${stamp}\]|${stamp}(?: \d\d[OE]\+?)?)(?: |$)`,
)
const linesMin = 2
const headLines = 20
const timedShareMin = 0.9

/** The output without the times before its lines, if nearly all lines have one. */
export function withoutTimes(output: string): string {
  if (!output.split('\n', headLines).some((line) => timed.test(line))) return output
  const lines = output.split('\n')
  const told = lines.filter((line) => line.trim() !== '')
  const withTime = told.filter((line) => timed.test(line)).length
  if (withTime < linesMin || withTime < timedShareMin * told.length) return output
  return lines.map((line) => line.replace(timed, '')).join('\n')
}

// turbo and lerna (`web:test: `), pnpm (`packages/web test: `), concurrently and run-p (`[web] `), compose (`web-1  | `).
const labelled =
  /^(\[[\w@.:/ -]{1,60}\]:?|[\w@./-]{1,80}(?::[\w:./-]{1,60})?:|[\w@./-]{1,80} [\w:.-]{1,40}:|[\w@./-]{1,60} {0,40}\|)(?: |\r?$)/
// Maven's own.
const level = /^\[(?:INFO|ERROR|WARN|WARNING|DEBUG|TRACE)\]$/
const labelledShareMin = 0.6

/**
 * The output with the lines of each label together and without it, as the programs wrote them; null if the lines have none.
 * Programs that run side by side mix their lines.
 */
export function withoutLabels(output: string): string | null {
  const byLabel = new Map<string, string[]>()
  const lines = output.split('\n')
  const labels = lines.map((line) => {
    const [whole, label] = labelled.exec(line) ?? []
    if (whole === undefined || label === undefined || level.test(label)) return null
    addTo(byLabel, label, line.slice(whole.length))
    return label
  })
  const isLabel = (label: string): boolean => (byLabel.get(label)?.length ?? 0) >= linesMin
  const rest = lines.filter((_, at) => !isLabel(labels[at] ?? ''))
  const told = lines.filter((line) => line.trim() !== '').length
  if (lines.length - rest.length < labelledShareMin * told) return null
  // A single line may be all that a label has, or no label: it is read both ways.
  return [...byLabel.values(), rest].map((each) => each.join('\n')).join('\n')
}

function addTo(lists: Map<string, string[]>, name: string, line: string): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [line])
  else list.push(line)
}
