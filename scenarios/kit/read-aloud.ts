// Whether a page can be read aloud and told apart by everybody, as axe sees it. The program is given to a document
// once, and says only what is wrong: to write down all that is right takes longer than to look.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')
let source: string | undefined

interface Looked {
  /** How many rules were held against something on the page. */
  readonly rules: number
  /** The name of the rule and the elements that break it, as HTML. */
  readonly wrong: readonly [string, readonly string[]][]
}

/** `name` says in a failure what was looked at; `rules`: only these, none stands for all. */
export async function canBeReadAloud(
  document: Page | Frame,
  name = 'the page',
  rules: readonly string[] = [],
): Promise<void> {
  if (!(await document.evaluate<boolean>(`'axe' in globalThis`))) {
    source ??= readFileSync(AXE, 'utf8')
    await document.evaluate(`${source};0`)
  }
  const only = rules.length === 0 ? {} : { runOnly: rules }
  const options = { resultTypes: ['violations'], iframes: false, ...only }
  const looked = await document.evaluate<Looked>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ passes, violations }) => ({
      rules: passes.length + violations.length,
      wrong: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    }))`,
  )
  expect([name, ...looked.wrong]).toEqual([name])
  // A page on which there was nothing to look at proves nothing.
  expect(looked.rules).toBeGreaterThan(rules.length === 0 ? 10 : 0)
}

/** The same page in both schemes: all rules in the light, and in the dark the one that only colours can break. */
export async function canBeReadInLightAndDark(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await canBeReadAloud(page, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await canBeReadAloud(page, `${name}, dark`, ['color-contrast'])
}
