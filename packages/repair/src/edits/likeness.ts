/** How alike two names are, 0 to 1, by their common beginnings, endings and parts. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1
  const words = (name: string) => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
  const ours = words(a)
  const theirs = new Set(words(b))
  const shared = ours.filter((word) => theirs.has(word)).length / Math.max(ours.length, theirs.size)
  let prefix = 0
  while (prefix < Math.min(a.length, b.length) && a[prefix] === b[prefix]) prefix += 1
  // One letter in common says nothing.
  return Math.max(shared, prefix < 3 ? 0 : prefix / Math.max(a.length, b.length))
}
