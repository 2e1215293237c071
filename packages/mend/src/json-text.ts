// Takes members out of an object in a text of JSON and leaves every other byte as it is.

interface Member {
  readonly name: string
  /** Where its name begins, and where its value begins and ends. */
  readonly start: number
  readonly value: number
  readonly end: number
}

/** Null: it is no JSON, a member is not there, or one is there twice. A list that is left empty goes, too. */
export function removeMembers(text: string, paths: readonly (readonly [string, string])[]): string | null {
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  let left = text
  for (const path of paths) {
    const without = removeMember(left, path)
    if (without === null) return null
    left = without
  }
  return left
}

function removeMember(text: string, [list, name]: readonly [string, string]): string | null {
  const outer = membersAt(text, text.indexOf('{'))
  const object = only(outer, list)
  if (object === null || text[object.value] !== '{') return null
  const inner = membersAt(text, object.value)
  const member = only(inner, name)
  if (member === null) return null
  return inner.length === 1 ? cut(text, outer, object) : cut(text, inner, member)
}

function only(members: readonly Member[], name: string): Member | null {
  const same = members.filter((each) => each.name === name)
  return same.length === 1 ? (same[0] ?? null) : null
}

/** From the end of the member before to its own end; of the first, from its own beginning to that of the next. */
function cut(text: string, members: readonly Member[], member: Member): string {
  const at = members.indexOf(member)
  const [before, next] = [members[at - 1], members[at + 1]]
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end)
  if (next !== undefined) return text.slice(0, member.start) + text.slice(next.start)
  // The only one: what stands before and behind it is space.
  const open = text.lastIndexOf('{', member.start)
  return text.slice(0, open + 1) + text.slice(text.indexOf('}', member.end))
}

/** The members of the object that opens at a place, of a text that is known to be JSON. */
function membersAt(text: string, open: number): Member[] {
  const members: Member[] = []
  let at = skipSpace(text, open + 1)
  while (text[at] === '"') {
    const start = at
    const nameEnd = endOfString(text, at)
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1)
    const end = endOfValue(text, value)
    members.push({ name: JSON.parse(text.slice(start, nameEnd)) as string, start, value, end })
    at = skipSpace(text, end)
    if (text[at] !== ',') break
    at = skipSpace(text, at + 1)
  }
  return members
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfValue(text: string, from: number): number {
  const first = text.charAt(from)
  if (first === '"') return endOfString(text, from)
  return first === '{' || first === '[' ? endOfNested(text, from) : endOfPlain(text, from)
}

function endOfPlain(text: string, from: number): number {
  let at = from
  while (at < text.length && !/[\s,}\]]/.test(text.charAt(at))) at += 1
  return at
}

const DEPTH: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

function endOfNested(text: string, from: number): number {
  let at = from
  let depth = 0
  do {
    const each = text.charAt(at)
    depth += DEPTH[each] ?? 0
    at = each === '"' ? endOfString(text, at) : at + 1
  } while (depth > 0 && at < text.length)
  return at
}
