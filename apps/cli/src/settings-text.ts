// Adds to a list in the text of treadle.json and leaves every other byte as its owner wrote it. Pure.

/** The text with `value` at the end of the list `section`.`key`; null if that cannot be done without doubt. */
export function addToList(
  text: string,
  { section, key, value }: { readonly section: string; readonly key: string; readonly value: string },
): string | null {
  const settings = parsed(text)
  if (settings === null) return null
  const own = settings[section]
  const list = isObject(own) ? own[key] : undefined
  if (own !== undefined && !isObject(own)) return null
  if (list !== undefined && !Array.isArray(list)) return null
  const changed = { ...settings, [section]: { ...own, [key]: [...(list ?? []), value] } }
  const put = insertion(text, { section, key, value })
  // Whatever the text looks like, it has to mean this and nothing else.
  return put !== null && same(parsed(put), changed) ? put : null
}

function insertion(
  text: string,
  { section, key, value }: { readonly section: string; readonly key: string; readonly value: string },
): string | null {
  const step = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const quoted = JSON.stringify(value)
  const start = text.search(/\S/)
  const inSection = placeOf(text, start, section)
  if (inSection === null)
    return putFirst(text, start, `${step}"${section}": {\n${step}${step}"${key}": [${quoted}]\n${step}}`)
  const inList = placeOf(text, inSection, key)
  if (inList === null) return putFirst(text, inSection, `${step}${step}"${key}": [${quoted}]`)
  const end = endOf(text, inList) - 1
  const last = text.slice(0, end).trimEnd().length
  return `${text.slice(0, last)}${text[last - 1] === '[' ? '' : ', '}${quoted}${text.slice(last)}`
}

/** The text with a member as the first of the object that begins at `at`. */
function putFirst(text: string, at: number, member: string): string {
  const rest = text.slice(at + 1)
  const isEmpty = rest.trimStart().startsWith('}')
  const tail = isEmpty ? `\n${rest.trimStart()}` : `,${/^\s*\n/.test(rest) ? rest : `\n${rest.trimStart()}`}`
  return `${text.slice(0, at + 1)}\n${member}${tail}`
}

/** Where the value of a key begins, in the object that begins at `at`; null if it has none. */
function placeOf(text: string, at: number, key: string): number | null {
  let here = after(text, at + 1)
  while (text[here] === '"') {
    const end = endOf(text, here)
    const value = after(text, after(text, end) + 1)
    if (text.slice(here, end) === JSON.stringify(key)) return value
    here = after(text, endOf(text, value))
    if (text[here] === ',') here = after(text, here + 1)
  }
  return null
}

/** The first place from `at` on that is no space. */
function after(text: string, at: number): number {
  let here = at
  while (/\s/.test(text[here] ?? '')) here += 1
  return here
}

/** The place behind the value that begins at `at`, in a text that is known to be well-formed. */
function endOf(text: string, at: number): number {
  let depth = 0
  for (let here = at; here < text.length; here += 1) {
    const letter = text[here] ?? ''
    if (letter === '"') {
      const [whole = '"'] = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(here)) ?? []
      here += whole.length - 1
    } else if ('{['.includes(letter)) depth += 1
    else if ('}]'.includes(letter)) depth -= 1
    else if (depth > 0 || /[-+.\w]/.test(letter)) continue
    else return here
    if (depth < 0) return here
    if (depth === 0) return here + 1
  }
  return text.length
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether two settings mean the same, in whatever order their keys stand. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => same(each, other[at]))
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one)
    return keys.length === Object.keys(other).length && keys.every((key) => same(one[key], other[key]))
  }
  return one === other
}
