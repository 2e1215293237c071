// The ten answers that complete an interview.
import type { Client } from '@treadle/contracts/client'

export const ANSWERS = [
  'Families who shop together',
  'Two people buy the same milk, because one of them has no network in the shop',
  'A list on each phone that works offline and is merged later',
  'Offline list: add and tick off items without a network\nMerge: brings two lists together\nSharing: invite by link',
  'Others need a server for every change',
  'Families share lists: nine of ten that were asked do',
  'Shops have bad networks: measured in five of them',
  'Merging by item is enough: no conflict in a month of trying',
  'Phones stop background work',
  'A list is there after a restart without a network\nTwo phones show the same list after they meet',
] as const

/** An interview from its first sentence to its brief. */
export async function finishIdea(client: Client, text: string) {
  const { slug } = await client.startIdea({ body: { text, by: 'ada', engine: 'none' } })
  for (const answer of ANSWERS)
    await client.sayToIdea({ params: { id: slug }, body: { text: answer, by: 'ada' } })
  return client.showIdea({ params: { id: slug }, query: {} })
}
