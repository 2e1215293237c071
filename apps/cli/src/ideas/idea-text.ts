// Ideas as people read them in a terminal: what was understood, which phase it is, what is missing, what is asked.
import type { IdeaView } from '@treadle/contracts/idea'
import { clip, paint } from '../output.ts'
import { flowed } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'

const SUMMARY_COLUMNS = 100

const percent = (share: number): string => `${Math.round(share * 100)} %`
const spaced = (word: string): string => word.replaceAll('-', ' ')

/** What was understood, as lines that fill up while one talks. */
export function cardLines({ artifacts, decisions, risks }: IdeaView): string[] {
  return [
    ...artifacts.map(({ type, summary, confidence }) => card(spaced(type), summary, percent(confidence))),
    ...decisions.map(({ type, text }) => card(type === 'done' ? 'done when' : type, text)),
    ...risks.map(({ text }) => card('risk', text)),
  ]
}

function card(name: string, text: string, note = ''): string {
  const words = clip(plainText(text), SUMMARY_COLUMNS)
  const line = `${paint('green', '✓')} ${paint('bold', name)}  ${words}${note === '' ? '' : `  ${paint('dim', note)}`}`
  return flowed(line, { hang: 2 })
}

export function phaseLine({ phase, confidence, missing }: IdeaView): string {
  const left = missing.length === 0 ? '' : `, still missing: ${missing.map(plainText).join('; ')}`
  return flowed(`${paint('cyan', phase)}, confidence ${percent(confidence)}${left}`)
}

/** What the model has replied, unless it was seen being written. */
export function replyLines({ mode, reply, waiting }: IdeaView, seen: string): string[] {
  if (mode !== 'engine' || reply === null || waiting) return []
  const text = plainText(reply)
  return squeezed(text) === squeezed(seen) ? [] : [flowed(text)]
}

/** A text as it reads, whatever its spaces. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A reply of a model ends with its questions; they are not asked twice. */
export function questionLines({ mode, reply, waiting, questions }: IdeaView): string[] {
  const said = mode === 'engine' && !waiting ? squeezed(reply ?? '') : ''
  return questions
    .filter(({ text }) => !said.includes(squeezed(text)))
    .flatMap(({ text, options }, at) => [
      flowed(at === 0 ? `${paint('yellow', '?')} ${plainText(text)}` : nextLine(text), { hang: 2 }),
      ...options.map((option, place) => flowed(`    ${place + 1}. ${plainText(option)}`, { hang: 3 })),
    ])
}

/** A question that comes after the one that the next message answers. */
function nextLine(text: string): string {
  return paint('dim', `Next: ${plainText(text)}`)
}

/** The idea itself, and the name by which commands know it. */
export function headLines({ title, slug }: Pick<IdeaView, 'title' | 'slug'>): string[] {
  return [flowed(paint('bold', plainText(title))), paint('dim', slug)]
}

export function ideaText(view: IdeaView): string {
  const { slug, status, mode, modeWhy, folder, documents } = view
  const how =
    mode === 'interview' ? `An interview. ${plainText(modeWhy ?? '')}`.trim() : `${view.engine} answers.`
  return [
    ...headLines(view),
    phaseLine(view),
    flowed(paint('dim', how)),
    ...cardLines(view),
    ...questionLines(view),
    ...(folder === null ? [] : [paint('dim', `Documents in ${folder}`)]),
    ...documents.flatMap(documentLine),
    ...(status === 'complete' ? [`Next: treadle spec generate ${slug}`] : []),
  ].join('\n')
}

function documentLine({ path, state, besidePath, why }: IdeaView['documents'][number]): string[] {
  if (why !== null) return [flowed(paint('yellow', `${path} is not as it should be: ${why}`), { hang: 2 })]
  if (state === 'written') return []
  if (besidePath !== null)
    return [
      flowed(paint('yellow', `${path} was edited by hand, and counts; the newer text is in ${besidePath}`), {
        hang: 2,
      }),
    ]
  return [
    state === 'missing' ? paint('yellow', `${path} is gone`) : paint('dim', `${path} was edited by hand`),
  ]
}
