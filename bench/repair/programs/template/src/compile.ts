export type Part =
  | { is: 'text'; text: string }
  | { is: 'value'; path: string; raw: boolean; fallback: string | null }
  | { is: 'each'; path: string; parts: Part[] }
  | { is: 'if'; path: string; negated: boolean; parts: Part[] }

type Block = Extract<Part, { parts: Part[] }>

const tag = /\{\{(.*?)\}\}/gs

// {{a.b}}, {{a.b|fallback}}, {{&raw}}, {{#each list}} … {{/each}}, {{#if x}} … {{/if}}, {{#unless x}} … {{/unless}}
export function compileTemplate(source: string): Part[] {
  const root: Part[] = []
  const open: { word: string; block: Block }[] = []
  const add = (part: Part) => (open.at(-1)?.block.parts ?? root).push(part)
  let at = 0
  for (const match of source.matchAll(tag)) {
    if (match.index > at) add({ is: 'text', text: source.slice(at, match.index) })
    at = match.index + match[0].length
    const body = (match[1] ?? '').trim()
    if (body.startsWith('#')) {
      const [word = '', path = ''] = body.slice(1).split(/\s+/)
      const block = openBlock(word, path)
      add(block)
      open.push({ word, block })
    } else if (body.startsWith('/')) {
      const closed = open.pop()
      if (closed?.word !== body.slice(1)) throw new SyntaxError(`unexpected {{${body}}}`)
    } else {
      add(valuePart(body))
    }
  }
  const [unclosed] = open
  if (unclosed) throw new SyntaxError(`{{#${unclosed.word}}} is not closed`)
  if (at < source.length) add({ is: 'text', text: source.slice(at) })
  return root
}

function openBlock(word: string, path: string): Block {
  if (word === 'each') return { is: 'each', path, parts: [] }
  if (word === 'if' || word === 'unless') return { is: 'if', path, negated: word === 'unless', parts: [] }
  throw new SyntaxError(`unknown block ${word}`)
}

function valuePart(body: string): Part {
  const raw = body.startsWith('&')
  const [path = '', fallback] = (raw ? body.slice(1) : body).split('|')
  return { is: 'value', path: path.trim(), raw, fallback: fallback?.trim() ?? null }
}
