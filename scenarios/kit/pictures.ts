// Pictures of a page as a test has it before it, for whoever wants to look: TREADLE_PICTURES names a folder.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { picturesFolder } from '../env.ts'

const LOOKED_AT = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 1440, height: 900 },
  { scheme: 'light', width: 1024, height: 768 },
  { scheme: 'light', width: 390, height: 844 },
  { scheme: 'dark', width: 390, height: 844 },
] as const

export async function picture(page: Page, name: string): Promise<void> {
  const folder = picturesFolder()
  if (folder === null) return
  mkdirSync(folder, { recursive: true })
  const before = page.viewportSize()
  for (const { scheme, width, height } of LOOKED_AT) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: width < 1_000 })
  }
  if (before !== null) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light' })
}
