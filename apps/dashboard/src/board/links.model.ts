// What an item has to do with another: it waits for it, or is a part of it. Decided here, refused by the daemon.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item, ItemChanges } from '@treadle/contracts/item'
import type { FormRead } from '../parts/form.model.ts'

export type LinkKind = 'after' | 'part'
export type LinkChanges = Pick<ItemChanges, 'dependsOn' | 'parent'>
export type Links = Pick<Item, 'dependsOn' | 'parent'>

export type LinkChoice =
  | { readonly is: 'change'; readonly changes: LinkChanges; readonly words: string }
  | { readonly is: 'refused'; readonly why: string }

export const LINK_WORDS: Record<LinkKind, string> = { after: 'After this', part: 'Part of this' }

/** An item that was dropped on another. */
export function decideLink(item: Item, to: Item, kind: LinkKind): LinkChoice {
  const [label, other] = [itemLabel(item), itemLabel(to)]
  const refused = (why: string): LinkChoice => ({ is: 'refused', why })
  if (item.projectNumber !== to.projectNumber)
    return refused(`${label} and ${other} are of different projects, so neither can wait for the other.`)
  if (item.number === to.number) return refused(`${label} cannot wait for itself.`)
  if (kind === 'part')
    return item.parent === to.number
      ? refused(`${label} is a part of ${other} already.`)
      : { is: 'change', changes: { parent: to.number }, words: `${label} is now a part of ${other}.` }
  return item.dependsOn.includes(to.number)
    ? refused(`${label} waits for ${other} already.`)
    : {
        is: 'change',
        changes: { dependsOn: [...item.dependsOn, to.number] },
        words: `${label} now waits for ${other}.`,
      }
}

/** What takes a change back: the links as they were before it. */
export function linksOf({ dependsOn, parent }: Links): Links {
  return { dependsOn, parent }
}

const NUMBER = /^#?([1-9]\d{0,8})(?!\d)/

/** The links that were typed: numbers, or what the list of suggestions puts in their place. */
export function readLinks(after: string, part: string): FormRead<Links> {
  const dependsOn: number[] = []
  for (const each of after.split(/[\n,]/).map((text) => text.trim())) {
    if (each === '') continue
    const number = numberIn(each)
    if (number === null) return wrong(each)
    if (!dependsOn.includes(number)) dependsOn.push(number)
  }
  const parent = part.trim() === '' ? null : numberIn(part.trim())
  if (parent === null && part.trim() !== '') return wrong(part.trim())
  return { is: 'ready', value: { dependsOn, parent } }
}

function numberIn(text: string): number | null {
  const found = NUMBER.exec(text)
  return found === null ? null : Number(found[1])
}

function wrong(text: string): FormRead<never> {
  return { is: 'wrong', why: `"${text}" is no number of an item, such as 3 or #3.` }
}

/** What came of it in a sentence: "#5 now waits for #3 and #4, and is a part of #1." */
export function linkWords(item: Item, { dependsOn, parent }: Links): string {
  const named = new Intl.ListFormat('en-GB').format(dependsOn.map((number) => `#${number}`))
  const waits = dependsOn.length === 0 ? 'waits for nothing' : `waits for ${named}`
  return `${itemLabel(item)} now ${waits}${parent === null ? '' : `, and is a part of #${parent}`}.`
}
