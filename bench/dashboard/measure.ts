// What the browser itself says about a page: when it painted, what jumped, and how long it was busy.
import type { Page } from 'playwright-core'

export interface Painted {
  /** First text or picture, in milliseconds since the navigation began. */
  readonly first: number
  readonly largest: number
  /** How much moved by itself; 0 is nothing. */
  readonly shift: number
  /** Longest time without a breath. */
  readonly busy: number
}

// In words of the browser, which has other types than this program.
const WATCH = `
  globalThis.seen = { largest: 0, shift: 0, busy: 0 }
  const look = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  look('largest-contentful-paint', (entry) => { seen.largest = entry.startTime })
  look('layout-shift', (entry) => { seen.shift += entry.value })
  look('longtask', (entry) => { seen.busy = Math.max(seen.busy, entry.duration) })
`
const PAINTED = `({ ...seen, first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN })`
const GO = (hash: string) => `new Promise((resolve) => {
  const before = performance.now()
  location.hash = '${hash}'
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - before)))
})`

/** Must be called before the page is opened. */
export async function watch(page: Page): Promise<void> {
  await page.addInitScript({ content: WATCH })
}

export async function painted(page: Page): Promise<Painted> {
  return page.evaluate<Painted>(PAINTED)
}

/** From another address to the picture of its screen, in milliseconds. */
export async function timeToPaint(page: Page, hash: string): Promise<number> {
  return page.evaluate<number>(GO(hash))
}

export async function sinceOpened(page: Page): Promise<number> {
  return page.evaluate<number>('performance.now()')
}
