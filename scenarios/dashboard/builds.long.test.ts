// A build on the page: from the approval of its specification, while it turns, stopped, failed and gone on with.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { begun, begunOn, fail, landed, play, start, stateOf, taskOf } from '../build/hand-build.ts'
import { browserPages, openLive, section } from '../kit/browser.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { useInProcess } from '../kit/in-process.ts'
import { picture } from '../kit/pictures.ts'
import { canBeReadInLightAndDark } from '../kit/read-aloud.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 300 } } })
const inBrowser = browserPages()

const task = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').filter({ hasText: title })
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)

async function looksRight(page: Page, name: string): Promise<void> {
  await picture(page, name)
  await canBeReadInLightAndDark(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsTheWindow(page, name)
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a build turns before the eyes of the reader, is stopped and gone on with, and a failed task is tried again', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  await inBrowser(daemon, async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openLive(page, daemon)
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.getByText('There are no builds yet.').waitFor()
    await looksRight(page, 'no-builds')

    const build = await start(daemon, 'tea-timer', [
      { id: 'T1', file: 'types.txt', phase: 'types', title: 'Types of a timer' },
      { id: 'T2', file: 'presets.txt', title: 'Keep presets', dependsOn: ['T1'] },
      { id: 'T3', file: 'ring.txt', phase: 'api', title: 'Ring when the tea is ready' },
      { id: 'T4', file: 'sound.txt', phase: 'api', title: 'Play a sound', dependsOn: ['T3'] },
      { id: 'T5', file: 'ring.txt', phase: 'ui', title: 'Show the ring', action: 'UPDATE' },
      { id: 'T6', file: 'help.txt', phase: 'ui', title: 'Write the help' },
      { id: 'T7', file: 'timer.test.txt', phase: 'tests', title: 'Test it all', dependsOn: ['T2', 'T6'] },
    ])
    const numberOf = (id: string) => taskOf(build, id).number
    // The specification leads to it.
    await page.evaluate(`location.hash = '#/specifications/tea-timer'`)
    await section(page, 'Decision').getByRole('link', { name: 'Show the build' }).click()
    await node(page, 'T2').getByText('Blocked by T1').waitFor()
    await node(page, 'T1').getByText('Ready').waitFor()

    await play(daemon, numberOf('T1'), { 'types.txt': 'T1\n' })
    await landed(client, numberOf('T1'))
    await begunOn(daemon, numberOf('T3'))
    await node(page, 'T1').getByText('Merged').waitFor()
    await node(page, 'T2').getByText('Ready').waitFor()
    await node(page, 'T3').getByText('Checking: agent-1').waitFor()
    await node(page, 'T5')
      .getByText(`Locked by agent-1 for #${numberOf('T3')}`)
      .waitFor()
    await fail(daemon, numberOf('T6'), 'the engine said nothing sensible')
    await node(page, 'T6').getByText('Failed').waitFor()
    await node(page, 'T7').getByText('Skipped').waitFor()
    await task(page, 'Write the help').getByText('What failed (1)').click()
    await task(page, 'Write the help').getByText('Attempt 1: Unknown error').waitFor()
    await section(page, 'Progress').getByText('1 of 7 tasks merged').waitFor()
    await looksRight(page, 'build')

    await section(page, 'Progress').getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('alert').getByText('Nothing is lost. Retry T6').waitFor()
    expect((await client.showBuild({ params: { id: build.id } })).status).toBe('stopped')
    await looksRight(page, 'stopped-build')
    await section(page, 'Progress').getByRole('button', { name: 'Resume' }).click()
    await section(page, 'Progress').getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('button', { name: 'Retry T6' }).click()
    await node(page, 'T6').getByText('Ready').waitFor()
    await node(page, 'T7').getByText('Blocked by T2').waitFor()
    expect((await stateOf(client, numberOf('T6'))).state).toBe('backlog')
    await begun(client, 'tea-timer', (now) => taskOf(now, 'T7').status === 'pending')

    // A failed database task ends a build.
    const ended = await start(daemon, 'tea-shop', [
      { id: 'T1', file: 'table.txt', phase: 'database', title: 'Make the table' },
      { id: 'T2', file: 'shop.txt', title: 'Open the shop', dependsOn: ['T1'] },
    ])
    await fail(daemon, taskOf(ended, 'T1').number, 'the engine said nothing sensible')
    const { why } = await begun(client, 'tea-shop', ({ status }) => status === 'failed')
    await page.evaluate(`location.hash = '#/builds/tea-shop'`)
    await page
      .getByRole('alert')
      .getByText(why ?? 'no reason')
      .waitFor()
    await section(page, 'Progress').getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByText('Retrospective').click()
    await page.getByText('T1 (Make the table) failed').waitFor()
    await looksRight(page, 'failed-build')
    await page.getByRole('link', { name: '← Builds' }).click()
    await page.getByRole('listitem').filter({ hasText: '1 of 7 tasks merged' }).waitFor()
    await looksRight(page, 'builds')
  })
})

test('a machine that is short of memory says so on Now, for as long as it is', async (context) => {
  const daemon = await open(context)
  const { workspace } = daemon
  const memory = (memoryFreeMb: number) =>
    workspace.setConfig({ tests: { command: 'true' }, limits: { sweepMs: 300, memoryFreeMb } })
  await inBrowser(daemon, async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openLive(page, daemon)
    memory(1_000_000_000)
    const note = page.getByRole('status').getByText('memory')
    await note.waitFor()
    await looksRight(page, 'short-of-memory')
    memory(1)
    await note.waitFor({ state: 'detached' })
  })
})
