// The change of a tool in one file, for people: one hunk from the first to the last line that differs.
const AROUND = 2
const CHARS_MAX = 8_000

export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1
  let tail = 0
  const room = Math.min(old.length, fresh.length) - head
  while (tail < room && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1
  const from = Math.max(0, head - AROUND)
  const below = Math.max(0, tail - AROUND)
  const lead = old.slice(from, head)
  const gone = old.slice(head, old.length - tail)
  const come = fresh.slice(head, fresh.length - tail)
  const trail = old.slice(old.length - tail, old.length - below)
  const many = (lines: readonly string[]) => lead.length + lines.length + trail.length
  return [
    `--- a/${name}`,
    `+++ b/${name}`,
    `@@ -${from + 1},${many(gone)} +${from + 1},${many(come)} @@`,
    ...lead.map((line) => ` ${line}`),
    ...gone.map((line) => `-${line}`),
    ...come.map((line) => `+${line}`),
    ...trail.map((line) => ` ${line}`),
  ]
    .join('\n')
    .slice(0, CHARS_MAX)
}
