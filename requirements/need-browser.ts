// A Chromium for tests that look at a page.
import type { TestContext } from 'vitest'
import { findBrowser } from '../tools/browser.ts'
import { notRun } from './not-run.ts'

export async function needBrowser(
  context: TestContext,
  need: 'any' | 'vscode' = 'any',
): Promise<{ executablePath: string; args: string[] }> {
  const browser = await findBrowser(need)
  return browser.is === 'found' ? browser : notRun(context, browser.why, browser.install)
}
