// Whether a page is as wide as its window: nothing hangs out at the side, and nobody has to scroll sideways.
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

/** How far the page reaches beyond its window, and what of it does; a chart draws itself again in the next frame. */
const LOOK = `new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const html = document.documentElement
  const scrolls = (element) => element !== html && getComputedStyle(element).overflowX !== 'visible'
  const isInside = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) if (scrolls(at)) return true
    return false
  }
  const hangsOut = (element) => {
    const { right, width } = element.getBoundingClientRect()
    return width > 0 && right > html.clientWidth + 0.5 && !isInside(element)
  }
  const beyond = html.scrollWidth - html.clientWidth
  const named = beyond <= 0 ? [] : [...document.querySelectorAll('body *')].filter(hangsOut).slice(-5)
  told([beyond, ...named.map((element) => element.cloneNode(false).outerHTML)])
})))`

/** `name` says in a failure what was looked at. */
export async function fitsTheWindow(document: Page | Frame, name: string): Promise<void> {
  expect([name, ...(await document.evaluate<(number | string)[]>(LOOK))]).toEqual([name, 0])
}
