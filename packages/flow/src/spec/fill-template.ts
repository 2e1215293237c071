// A template of spec.md or tasks.md, filled: a person may have another order, other headings and other words around it.

/** A section as it is rendered; its name in a template is its title in small letters. */
export interface RenderedSection {
  readonly title: string
  readonly lines: readonly string[]
}

export interface TemplateValues {
  /** Put in wherever they are named. */
  readonly words: Readonly<Record<string, string>>
  readonly sections: readonly RenderedSection[]
  /** Only there where a template names them; empty: left out with their heading. */
  readonly asked: Readonly<Record<string, string>>
}

/** Where sections go that the template does not name. */
const OTHERS = 'others'
const NAME = /\{\{([a-z_]+)\}\}/g
const ALONE = /^\{\{([a-z_]+)\}\}$/

function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

/** In one pass, so that nothing that is put in is taken for another name. Nothing that was rendered is ever lost. */
export function fillTemplate(template: string, values: TemplateValues): string {
  const named = new Set(namesIn(template))
  const others = values.sections
    .filter(({ title }) => !named.has(nameOf(title)))
    .map(({ title, lines }) => `## ${title}\n\n${lines.join('\n')}`)
    .join('\n\n')
  const texts = new Map([
    ...Object.entries(values.asked),
    ...Object.entries(values.words),
    ...values.sections.map(({ title, lines }) => [nameOf(title), lines.join('\n')] as const),
    [OTHERS, others] as const,
  ])
  const blocks = blocksOf(template)
    .map((block) => filled(block, texts))
    .filter((block) => block !== '')
  if (!named.has(OTHERS) && others !== '') blocks.push(others)
  return `${blocks.join('\n\n')}\n`
}

export function namesIn(template: string): string[] {
  return Array.from(template.matchAll(NAME), ([, name = '']) => name)
}

/** A block begins with a heading, or is the place of what has headings of its own. */
function blocksOf(template: string): string[] {
  const blocks: string[][] = [[]]
  for (const line of template.replaceAll('\r\n', '\n').split('\n')) {
    const isOwn = line.trim() === `{{${OTHERS}}}`
    if (isOwn || /^#{1,2} /.test(line)) blocks.push([])
    blocks.at(-1)?.push(line)
    if (isOwn) blocks.push([])
  }
  return blocks.map((lines) => lines.join('\n').trim()).filter((block) => block !== '')
}

/** Without a word to put in at any of its places a block is left out; else what is empty goes with its line. */
function filled(block: string, texts: ReadonlyMap<string, string>): string {
  const textOf = (name: string) => texts.get(name) ?? ''
  const places = namesIn(block).filter((name) => texts.has(name) || isSection(name, block))
  if (places.length > 0 && places.every((name) => textOf(name) === '')) return ''
  return block
    .split('\n')
    .filter((line) => !places.some((name) => line.includes(`{{${name}}}`) && textOf(name) === ''))
    .map((line) => line.replace(NAME, (place, name: string) => texts.get(name) ?? place))
    .join('\n')
    .trim()
}

/** What stands alone on its line is the place of a section that has nothing to say this time. */
function isSection(name: string, block: string): boolean {
  return block.split('\n').some((line) => ALONE.exec(line.trim())?.[1] === name)
}

/** Lines of tasks.md that stand there because the template has them, and are no note of a person. */
export function templateLines(template: string): (line: string) => boolean {
  const own = template
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !ALONE.test(line))
    .slice(0, 500)
  const fixed = new Set(own.filter((line) => namesIn(line).length === 0))
  // The words before and after the only place of a line are enough to know it again.
  const open = own
    .filter((line) => namesIn(line).length > 0)
    .map((line) => ({
      head: line.slice(0, line.indexOf('{{')),
      tail: line.slice(line.lastIndexOf('}}') + 2),
    }))
    .filter(({ head, tail }) => head.length + tail.length >= 8)
  return (line) => {
    const text = line.trim()
    return fixed.has(text) || open.some(({ head, tail }) => text.startsWith(head) && text.endsWith(tail))
  }
}
