// What a person typed into the form of a new item, as the daemon takes it.
import { NewItem } from '@treadle/contracts/item'

export interface Typed {
  readonly title: string
  readonly body: string
  readonly acceptance: string
  readonly priority: string
}

export type Read =
  | { readonly is: 'item'; readonly item: NewItem }
  | { readonly is: 'wrong'; readonly why: string }

export function readNewItem({ title, body, acceptance, priority }: Typed): Read {
  if (title.trim() === '') return { is: 'wrong', why: 'Say in one line what is to be done.' }
  const wanted = priority.trim()
  if (!/^\d{0,4}$/.test(wanted) || Number(wanted) > 1_000)
    return { is: 'wrong', why: 'The priority is a whole number from 0 to 1000, or nothing.' }
  const read = NewItem.safeParse({
    title,
    body,
    acceptance: acceptance.split('\n').filter((line) => line.trim() !== ''),
    priority: wanted === '' ? null : Number(wanted),
  })
  if (read.success) return { is: 'item', item: read.data }
  const [issue] = read.error.issues
  return { is: 'wrong', why: `${issue?.path.join('.') ?? 'The item'}: ${issue?.message ?? 'is not right'}` }
}
