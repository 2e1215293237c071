// The board as tests find their way on it.
import type { Client } from '@treadle/contracts/client'
import type { NewItem } from '@treadle/contracts/item'
import type { Page } from 'playwright-core'
import { section } from '../kit/browser.ts'
import { addItem, path } from '../kit/hand-agent.ts'
import { eventually } from '../kit/wait.ts'

/** Nothing of an earlier test is left in the queue. */
export async function emptyBoard(client: Client): Promise<void> {
  const { items } = await client.board({ query: { ended: 0 } })
  for (const { projectNumber, number } of items)
    await client.withdrawItem({ params: path({ projectNumber, number }), body: {} })
}

export async function add(client: Client, given: readonly Partial<NewItem>[]): Promise<number[]> {
  const numbers: number[] = []
  for (const each of given) numbers.push((await addItem(client, each)).number)
  return numbers
}

export async function queueOf(client: Client): Promise<number[]> {
  return (await client.queue()).items.map(({ number }) => number)
}

export function queueIs(client: Client, numbers: readonly number[]): Promise<true> {
  return eventually(`the queue is ${numbers}`, async () =>
    JSON.stringify(await queueOf(client)) === JSON.stringify(numbers) ? true : undefined,
  )
}

export const card = (page: Page, number: number) => page.locator(`li[data-key="1/${number}"]`)
export const column = (page: Page, name: string) => section(page, new RegExp(`^${name}`))
export const cardsIn = (page: Page, name: string) => column(page, name).locator('li .number')

export async function at(page: Page, query = ''): Promise<void> {
  await page.evaluate(`location.hash = '#/work${query === '' ? '' : `?${query}`}'`)
  await page.getByRole('heading', { level: 2, name: 'Work' }).waitFor()
}

export const hashOf = (page: Page) => new URL(page.url()).hash
