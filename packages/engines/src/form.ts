// The questions of a form, in the shape in which each is put to people.
import type { EngineQuestion } from '@treadle/flow/ports/engine'

type Part = NonNullable<EngineQuestion['parts']>[number]

/** More than any program asks at once. */
export const PARTS_MAX = 20
const OPTIONS_MAX = 20
const TITLE_MAX = 2_000
const LABEL_MAX = 200
const RECOMMENDED = /\(recommended\)\s*$/i

interface PartFacts {
  readonly name: string
  readonly title: string
  readonly header?: string | null | undefined
  readonly context?: string
  readonly multiple: boolean
  readonly options: readonly { readonly label: string; readonly description?: string | null | undefined }[]
}

/** What a program calls its best option in the label itself is recommended, and holds where nobody is to be asked. */
export function partOf({ name, title, header, context = '', multiple, options }: PartFacts): Part {
  const labels = new Map(options.map((option) => [shortLabel(option.label), option]))
  labels.delete('')
  const best = [...labels.keys()].filter((label) => RECOMMENDED.test(label))
  const recommended = best.length === 1 ? best[0] : undefined
  const shownHeader = shortLabel(header ?? '').slice(0, 100)
  return {
    name: nameOf(name),
    title: title.slice(0, TITLE_MAX),
    detail: {
      type: 'blocking',
      context: context.slice(0, TITLE_MAX),
      choices: [...labels].slice(0, OPTIONS_MAX).map(([label, { description }]) => ({
        label,
        ...(description == null || description === ''
          ? {}
          : { description: description.slice(0, TITLE_MAX) }),
        ...(label === recommended ? { recommended: true } : {}),
      })),
      allowFreeText: true,
      ...(shownHeader === '' ? {} : { header: shownHeader }),
      ...(multiple ? { multiple } : {}),
      ...(recommended === undefined ? {} : { defaultOption: recommended }),
      blocking: true,
      tags: [],
    },
  }
}

/** A form as one question, for whoever knows of no parts. */
export function formHead(parts: readonly Part[]): Pick<EngineQuestion, 'title' | 'options'> {
  const title = parts.map((part) => part.title).join('\n')
  const options = parts.flatMap(({ detail }) => detail.choices.map(({ label }) => label))
  return { title: title.slice(0, TITLE_MAX), options: options.slice(0, 50) }
}

export const nameOf = (name: string) => name.slice(0, TITLE_MAX)
export const shortLabel = (label: string) => label.replace(/\s+/g, ' ').trim().slice(0, LABEL_MAX).trim()
