export type Edit = { is: 'same' | 'added' | 'removed'; line: string }
export type Hunk = { start: number; edits: Edit[] }

// The longest common subsequence decides which lines stay; removals come before additions.
export function diffLines(before: readonly string[], after: readonly string[]): Edit[] {
  const table = commonLengths(before, after)
  const length = (i: number, j: number) => table[i]?.[j] ?? 0
  const edits: Edit[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const fresh = after[j]
    if (old !== undefined && old === fresh) {
      edits.push({ is: 'same', line: old })
      i += 1
      j += 1
    } else if (old !== undefined && (fresh === undefined || length(i + 1, j) >= length(i, j + 1))) {
      edits.push({ is: 'removed', line: old })
      i += 1
    } else {
      edits.push({ is: 'added', line: fresh ?? '' })
      j += 1
    }
  }
  return edits
}

// Cell i,j is the length for the lines from i and from j to the ends.
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const below = table[i + 1]?.[j] ?? 0
      const right = table[i]?.[j + 1] ?? 0
      const longer = before[i] === after[j] ? (table[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(below, right)
      const row = table[i]
      if (row) row[j] = longer
    }
  }
  return table
}

// Groups changes with so many unchanged lines around them; near groups are joined.
export function hunks(edits: readonly Edit[], context = 2): Hunk[] {
  const found: Hunk[] = []
  let end = 0
  for (const [index, edit] of edits.entries()) {
    if (edit.is === 'same') continue
    const from = Math.max(0, index - context)
    const to = Math.min(edits.length, index + context + 1)
    const last = found.at(-1)
    if (last && from <= end) last.edits.push(...edits.slice(end, to))
    else found.push({ start: from, edits: edits.slice(from, to) })
    end = to
  }
  return found
}

export function applyEdits(before: readonly string[], edits: readonly Edit[]): string[] {
  const result: string[] = []
  let at = 0
  for (const edit of edits) {
    if (edit.is !== 'added') {
      if (before[at] !== edit.line) throw new Error(`line ${at + 1} does not match`)
      at += 1
    }
    if (edit.is !== 'removed') result.push(edit.line)
  }
  return [...result, ...before.slice(at)]
}

const marks = { same: ' ', added: '+', removed: '-' }

export function render(edits: readonly Edit[]): string {
  return edits.map((edit) => `${marks[edit.is]}${edit.line}`).join('\n')
}

export function similarity(before: readonly string[], after: readonly string[]): number {
  const total = before.length + after.length
  if (total === 0) return 1
  const same = diffLines(before, after).filter((edit) => edit.is === 'same').length
  return (2 * same) / total
}
