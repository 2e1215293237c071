// What a reply of a model has brought: read from its JSON block, its bold labels and its headings. Nothing that cannot
// be read is guessed.
import { ArtifactType, type IdeaQuestion, type IdeaSignals } from '@treadle/contracts/idea'
import { plain } from '@treadle/contracts/question'
import {
  WrittenArtifact,
  WrittenDecision,
  WrittenObject,
  WrittenQuestion,
  WrittenRisk,
  WrittenShare,
  WrittenWords,
} from '@treadle/contracts/written-signals'
import { summaryOf } from './answer-lines.ts'

export interface ReplyRead {
  /** What the person is shown: the reply without its JSON block. */
  readonly text: string
  readonly brought: IdeaSignals
  readonly questions: readonly IdeaQuestion[]
  /** True: it names key concepts, and what they are could not be read. */
  readonly needsModel: boolean
  /** True: there is nothing in it for a person or for us. */
  readonly isNonsense: boolean
}

const QUESTIONS_MAX = 3
/** What a label says without a confidence of its own. */
const LABEL_CONFIDENCE = 0.7
const MANY_MAX = 20

/** `before` is the confidence so far, which holds where the reply says none. */
export function readReply(reply: string, before: number): ReplyRead {
  const { object, text, isBroken } = blockIn(plain(reply))
  const written = object === null ? null : signalsOf(object)
  const labels = labelsIn(text)
  const has = (part: Omit<IdeaSignals, 'confidence'>) =>
    part.artifacts.length + part.decisions.length + part.risks.length > 0
  // One reply, one reading: the block is what was asked for, labels stand in for it.
  const found = written !== null && has(written) ? written : labels
  const asked = written?.questions.length ? written.questions : questionsIn(text)
  const isSilent = object === null && !has(labels)
  return {
    text,
    brought: {
      artifacts: found.artifacts,
      decisions: found.decisions,
      risks: found.risks,
      confidence: written?.confidence ?? confidenceIn(text) ?? before,
    },
    questions: asked.slice(0, QUESTIONS_MAX).map((question, at) => ({
      id: `asked-${at + 1}`,
      text: question,
      options: [],
    })),
    needsModel: isSilent && (isBroken || /\*\*[^*\n]{2,}\*\*/.test(text)) && text !== '',
    isNonsense: isSilent && asked.length === 0 && !/\*\*[^*\n]{2,}\*\*/.test(text),
  }
}

interface Block {
  readonly object: Record<string, unknown> | null
  readonly text: string
  /** A block was begun, and cannot be read. */
  readonly isBroken: boolean
}

const FENCE = /```(?:json)?[ \t]*\r?\n([\s\S]*?)(?:\r?\n```|$)/gi
const KEYS = ['artifacts', 'decisions', 'risks', 'questions', 'confidence']

/** The last fenced block with the form that was asked for; or a reply that is such an object as a whole. */
function blockIn(reply: string): Block {
  const whole = objectIn(reply)
  if (whole !== null) return { object: whole, text: textIn(whole), isBroken: false }
  const blocks = [...reply.matchAll(FENCE)].toReversed()
  for (const [all, inner = ''] of blocks) {
    const object = objectIn(inner)
    if (object !== null) return { object, text: reply.replace(all, () => '').trim(), isBroken: false }
  }
  const broken = blocks.find(
    ([, inner = '']) => /^\s*\{/.test(inner) && KEYS.some((key) => inner.includes(`"${key}"`)),
  )
  if (broken === undefined) return { object: null, text: reply.trim(), isBroken: false }
  return { object: null, text: reply.replace(broken[0], () => '').trim(), isBroken: true }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const read = WrittenObject.safeParse(JSON.parse(text))
    return read.success && KEYS.some((key) => key in read.data) ? read.data : null
  } catch {
    // Words, or a block that is no JSON.
    return null
  }
}

function textIn(object: Record<string, unknown>): string {
  const said = WrittenWords.safeParse(object)
  return said.success ? said.data.reply.trim() : ''
}

interface Written extends Omit<IdeaSignals, 'confidence'> {
  readonly questions: readonly string[]
  readonly confidence: number | null
}

/** Part by part: one that does not fit is left out, and keeps no other from being read. */
function signalsOf(object: Record<string, unknown>): Written {
  const artifacts = each(object.artifacts, WrittenArtifact).flatMap(({ type, summary, text, confidence }) => {
    const all = text ?? summary
    if (all == null) return []
    return [
      {
        type,
        summary: summaryOf(summary ?? all),
        text: all,
        confidence: confidence ?? LABEL_CONFIDENCE,
        by: 'model' as const,
      },
    ]
  })
  const textOf = (said: string | { readonly text: string }) => (typeof said === 'string' ? said : said.text)
  const confidence = WrittenShare.safeParse(object.confidence)
  return {
    artifacts,
    decisions: each(object.decisions, WrittenDecision).map(({ type, text }) => ({ type, text })),
    risks: each(object.risks, WrittenRisk).map((risk) => ({ text: textOf(risk) })),
    questions: each(object.questions, WrittenQuestion).map(textOf),
    confidence: confidence.success ? confidence.data : null,
  }
}

interface Schema<T> {
  safeParse(given: unknown): { readonly success: true; readonly data: T } | { readonly success: false }
}

function each<T>(given: unknown, schema: Schema<T>): T[] {
  if (!Array.isArray(given)) return []
  return given.slice(0, MANY_MAX).flatMap((one) => {
    const read = schema.safeParse(one)
    return read.success ? [read.data] : []
  })
}

// ── Words ───────────────────────────────────────────────────────────────────────────────────────

type Meaning = ArtifactType | 'validation' | 'scope' | 'done' | 'risk'

const LABELS: readonly (readonly [RegExp, Meaning])[] = [
  [/^(?:target|ideal|first)?\s*(?:users?|audience|customers?)$/i, 'target-user'],
  [/^(?:the\s+)?(?:core\s+|main\s+)?problem$/i, 'problem'],
  [/^(?:the\s+)?(?:solution|solution concept|concept)$/i, 'solution-concept'],
  [/^(?:mvp|core|key)?\s*features?(?:\s+of the first version)?$|^mvp(?:\s+scope)?$/i, 'mvp-features'],
  [/^(?:differentiators?|what makes it different|difference)$/i, 'differentiator'],
  [/^(?:validated?|validation|validated assumptions?|evidence)$/i, 'validation'],
  [/^(?:decisions?|scope|out of scope)$/i, 'scope'],
  [/^(?:done when|acceptance criteria|done)$/i, 'done'],
  [/^(?:main |biggest |key )?risks?$/i, 'risk'],
]
const LABEL = /^\s*(?:[-*+]\s+)?\*\*([^*\n:]{2,40}):?\*\*:?[ \t]*(.*)$/
const HEADING = /^#{1,6}\s{1,9}(?:\*\*)?([^*\s:][^*\n:]{0,38}[^*\s:])\s?(?:\*\*)?:?$/

/** Bold labels and headings, each with the lines up to the next one. */
function labelsIn(text: string): Omit<IdeaSignals, 'confidence'> {
  const found: { meaning: Meaning | null; lines: string[] }[] = []
  for (const written of text.split(/\r?\n/)) {
    const line = written.trimEnd()
    const label = LABEL.exec(line)
    const name = label?.[1] ?? HEADING.exec(line)?.[1]
    const meaning = name === undefined ? null : meaningOf(name)
    if (meaning !== null) found.push({ meaning, lines: [label?.[2] ?? ''] })
    // Another heading ends what stands before it; bold words inside it do not.
    else if (HEADING.test(line)) found.push({ meaning: null, lines: [] })
    else if (line.trim() === '' && (found.at(-1)?.lines.join('').trim() ?? '') !== '')
      found.push({ meaning: null, lines: [] })
    else found.at(-1)?.lines.push(line)
  }
  const said = found.slice(0, MANY_MAX).flatMap(({ meaning, lines }) => {
    const all = lines.join('\n').trim().slice(0, 20_000)
    return meaning === null || all === '' || /\?\s*$/.test(all) ? [] : [{ meaning, text: all }]
  })
  return {
    artifacts: said.flatMap(({ meaning, text: all }) => {
      const type = ArtifactType.safeParse(meaning)
      return type.success
        ? [
            {
              type: type.data,
              summary: summaryOf(all),
              text: all,
              confidence: LABEL_CONFIDENCE,
              by: 'model' as const,
            },
          ]
        : []
    }),
    decisions: said
      .flatMap(({ meaning, text: all }) =>
        meaning === 'validation' || meaning === 'scope' || meaning === 'done'
          ? bulletsOf(all).map((one) => ({ type: meaning, text: one }))
          : [],
      )
      .slice(0, MANY_MAX),
    risks: said
      .flatMap(({ meaning, text: all }) =>
        meaning === 'risk' ? bulletsOf(all).map((one) => ({ text: one })) : [],
      )
      .slice(0, MANY_MAX),
  }
}

function meaningOf(name: string): Meaning | null {
  return LABELS.find(([pattern]) => pattern.test(name.trim()))?.[1] ?? null
}

function bulletsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line)?.[1]?.trim())
  const bullets = lines.filter((line) => line !== undefined)
  return bullets.length === 0 ? [text] : bullets
}

function questionsIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
    .filter((line) => /\?[*_"'”)]*$/.test(line))
    .map((line) => line.slice(0, 4_000))
}

function confidenceIn(text: string): number | null {
  const found = /confidence[^\d\n]{0,20}(\d{1,3})\s*%/i.exec(text)?.[1]
  return found === undefined ? null : Math.min(100, Number(found)) / 100
}
