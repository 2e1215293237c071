// A scripted model talks through all four phases to a brief and a specification, on the page and in the terminal: what it
// writes is seen while it comes, cards fill up, and a talk can be stopped. One daemon, one agent.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { browserPages, openLive, section } from '../kit/browser.ts'
import { clearWorkspace, type Daemon, startDaemon } from '../kit/daemon.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { picture } from '../kit/pictures.ts'
import { canBeReadInLightAndDark } from '../kit/read-aloud.ts'
import { atTerminal } from '../kit/terminal.ts'
import { makeWorkspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 300_000 })

const block = (given: object) => `\n\n\`\`\`json\n${JSON.stringify(given)}\n\`\`\``
const artifact = (type: string, text: string) => ({
  type,
  summary: text.split('\n')[0],
  text,
  confidence: 0.8,
})
const FEATURES = [
  '- **Shared lists**: a family keeps lists together; each list with name, shop and owner',
  '- **Reminders**: people are reminded of a list; each reminder with place, hour and text',
  '- **Recipes**: what a recipe needs is put on a list; each recipe with title, portions and steps',
]

/** What the model says, and the word after which it waits for the test. */
const REPLIES: readonly (readonly [said: string, brought: object])[] = [
  ['Who would use it first?', { questions: ['Who would use it first?'], confidence: 0.1 }],
  [
    'So it is for **families**. What must it do first?',
    {
      artifacts: [
        artifact('target-user', 'Families who shop together'),
        artifact('problem', 'Two people buy the same milk'),
        artifact('solution-concept', 'A web app with a list on each phone, merged later'),
      ],
      questions: ['What must it do first?'],
      confidence: 0.3,
    },
  ],
  [
    'That is a small first version. What speaks for it?',
    {
      artifacts: [
        artifact('mvp-features', FEATURES.join('\n')),
        artifact('differentiator', 'It works in shops without a signal'),
      ],
      decisions: [{ type: 'scope', text: 'No prices in the first version' }],
      questions: ['What speaks for it?'],
      confidence: 0.62,
    },
  ],
  [
    'Noted. When is it done?',
    {
      decisions: ['Families share lists', 'Shops have bad networks', 'Merging by item is enough'].map(
        (text) => ({
          type: 'validation',
          text,
        }),
      ),
      risks: [{ text: 'Phones stop background work' }],
      questions: ['When is it done?'],
      confidence: 0.7,
    },
  ],
  [
    'That makes a brief.',
    {
      decisions: [
        { type: 'done', text: 'A shared list is there after a restart without a network' },
        { type: 'done', text: 'A reminder comes at most once a day' },
      ],
      confidence: 0.8,
    },
  ],
]
const SAYS = [
  'Families',
  'Lists, reminders and recipes',
  'I asked nine families',
  'When it survives a restart',
]
const PHASES = ['Narrowing', 'Validating', 'Refining', 'Complete']

const usage = { model: 'script-1', inputTokens: 10, outputTokens: 5, usd: 0.01 }
const workspace = makeWorkspace({
  settings: {
    engines: { default: 'scripted', scripted: { scenario: '../home/scenario.json' } } as never,
    tests: { command: 'npx vitest run' },
  },
})
const hold = (name: string) => ({
  run: { command: `while [ ! -e ${join(workspace.home, name)} ]; do sleep 0.1; done` },
})
const letGo = (name: string) => writeFileSync(join(workspace.home, name), '')

/** It says one word, waits, says the rest, waits, and ends with the block for Treadle. */
function spoken([said, brought]: (typeof REPLIES)[number], name: string) {
  const [first = '', ...rest] = said.split(' ')
  return [
    { use: usage },
    { piece: { text: `${first} ` } },
    hold(`${name}-word`),
    { piece: { text: `${rest.join(' ')}${block(brought).slice(0, 30)}` } },
    hold(`${name}-rest`),
    { say: { text: `${said}${block(brought)}` } },
  ]
}

const talk = (subject: string, name: string) => ({
  match: { kind: 'idea_reply', subject },
  replies: REPLIES.map((reply, at) => spoken(reply, `${name}-${at}`)),
})
const scenario = {
  version: 1,
  items: [],
  thoughts: [
    talk('offline*', 'page'),
    talk('terminal*', 'terminal'),
    {
      match: { kind: 'idea_reply', subject: 'stopped*' },
      replies: [
        [{ piece: { text: 'This will never ' } }, hold('never'), { say: { text: 'This will never end?' } }],
        [{ say: { text: 'And what now?' } }],
      ],
    },
    {
      match: { kind: 'idea_reply', subject: 'failing*' },
      replies: [[{ fail: { outcome: 'auth', text: 'The key was refused.' } }]],
    },
  ],
}

let daemon: Daemon
beforeAll(async () => {
  writeFileSync(join(workspace.home, 'scenario.json'), JSON.stringify(scenario))
  daemon = await startDaemon(workspace)
  await daemon.client.startAgents({ body: { count: 1 } })
}, 120_000)
afterAll(() => clearWorkspace(workspace))

const inBrowser = browserPages()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })
const talkOf = (page: Page) => section(page, 'Talk')
const replyOf = (page: Page) => section(page, 'Reply')
const log = (page: Page) => talkOf(page).locator('.thread-entry')

async function begin(page: Page, text: string): Promise<void> {
  await page.evaluate(`location.hash = '#/ideas'`)
  await page.getByRole('button', { name: 'New idea' }).click()
  await page.getByRole('dialog').getByLabel('What is the idea?').fill(text)
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await heading(page, text).waitFor()
}

async function say(page: Page, text: string): Promise<void> {
  const field = talkOf(page).getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
}

/** The n-th reply: seen after its first word, seen whole before it has ended, and then a message. */
async function hearReply(page: Page, at: number): Promise<void> {
  const [said] = REPLIES[at] ?? ['']
  await replyOf(page)
    .getByText(said.split(' ')[0] ?? '', { exact: true })
    .waitFor()
  await replyOf(page).getByText('Live').waitFor()
  await replyOf(page).getByText('scripted in agent-1').waitFor()
  expect(await replyOf(page).textContent()).not.toContain(said)
  if (at === 1) await picture(page, 'idea-streaming')
  letGo(`page-${at}-word`)
  await replyOf(page).getByText(said).waitFor()
  await replyOf(page).getByText('$0.01').waitFor()
  const shown = await replyOf(page).textContent()
  expect(shown).not.toContain('```')
  if (at === 1) {
    await canBeReadInLightAndDark(page, 'a reply that is being written')
    await fitsTheWindow(page, 'a reply that is being written')
    // Whoever comes later sees all of it as well.
    await page.reload()
    await replyOf(page).getByText(said).waitFor()
  }
  letGo(`page-${at}-rest`)
  await replyOf(page).waitFor({ state: 'hidden' })
  await expect.poll(() => log(page).count()).toBe(2 + 2 * at)
  await picture(page, `idea-phase-${at}`)
}

async function reads(page: Page, phase: string, is: 'now' | 'done'): Promise<void> {
  await section(page, 'Phase').locator(`[data-is="${is}"]`).getByText(phase).waitFor()
}

test('a model talks through four phases to a brief on the page, seen word by word', async () => {
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await begin(page, 'An offline-first shopping list')
    await hearReply(page, 0)
    await reads(page, 'Exploring', 'now')
    await section(page, 'Phase').getByText('who it is for').waitFor()
    for (const [at, text] of SAYS.entries()) {
      await say(page, text)
      await hearReply(page, at + 1)
      await reads(page, PHASES[at] ?? '', at === SAYS.length - 1 ? 'done' : 'now')
    }
    const known = page.locator('.idea-card[data-known="true"]')
    expect(await known.count()).toBe(7)
    for (const words of [
      'Families who shop together',
      'Phones stop background work',
      'No prices in the first',
    ])
      await known.getByText(words).first().waitFor()
    await section(page, 'Confidence').getByRole('progressbar', { name: 'Confidence' }).waitFor()
    await page.getByText('planning/brief.md', { exact: true }).waitFor()
  })
})

test('a reply is stopped; what is said next is answered together with what was said before', async () => {
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await begin(page, 'Stopped in the middle')
    await replyOf(page).getByText('This will never').waitFor()
    await replyOf(page).getByRole('button', { name: /^Stop/ }).click()
    await replyOf(page).waitFor({ state: 'hidden' })
    await talkOf(page).getByText('Nobody is answering this.').waitFor()
    await picture(page, 'idea-stopped')
    await say(page, 'Go on')
    await log(page).getByText('And what now?').waitFor()
    await begin(page, 'Failing at once')
    await talkOf(page).getByText('The key was refused').first().waitFor()
    await picture(page, 'idea-failed')
    await page.evaluate(`location.hash = '#/ideas'`)
    await picture(page, 'ideas')
    await canBeReadInLightAndDark(page, 'ideas')
  })
})

test('in the terminal the words of the model come while it writes, through all four phases', async () => {
  const terminal = atTerminal(workspace, ['idea', 'Terminal talk about a clock'])
  for (const [at, [said]] of REPLIES.entries()) {
    const [first = ''] = said.split(' ')
    await terminal.shows('scripted in agent-1 is thinking')
    await terminal.shows(first)
    expect(plain(terminal.seen())).not.toContain(said)
    letGo(`terminal-${at}-word`)
    await terminal.shows(said)
    letGo(`terminal-${at}-rest`)
    await terminal.shows(at === 0 ? 'EXPLORING' : (PHASES[at - 1] ?? '').toUpperCase())
    const next = SAYS[at]
    if (next !== undefined) terminal.type(`${next}\r`)
  }
  await terminal.shows('The brief is written')
  expect(await terminal.ended).toBe(0)
  const seen = plain(terminal.seen())
  // What was seen being written is not written again, and nothing of the block is.
  for (const [said] of REPLIES) expect(seen.split(said)).toHaveLength(2)
  expect(seen).not.toContain('```')
  expect(seen).not.toContain('"confidence"')
  for (const words of ['✓ target user  Families who shop together', '✓ risk  Phones stop background work'])
    expect(seen).toContain(words)
})

function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r', '')
}

// Last: the approval begins a build, and the only agent has its tasks to do from then on.
test('its brief becomes a specification of a dozen tasks, which is changed and approved on the page', async () => {
  const { client } = daemon
  const [{ slug } = { slug: '' }] = (await client.listIdeas()).items
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.evaluate(`location.hash = '#/ideas/${slug}'`)
    await section(page, 'Specification').getByRole('button', { name: 'Generate specification' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/By rules alone/)
      .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('article', { name: 'Document' }).getByText('FR-1').first().waitFor()
    const { tasks } = await client.showSpecification({ params: { id: slug } })
    expect(tasks.length).toBeGreaterThanOrEqual(12)
    await picture(page, 'specification-document')
    await page.getByRole('button', { name: 'Task graph', exact: true }).click()
    await page.getByRole('group', { name: 'Dependencies' }).getByRole('link').first().waitFor()
    await picture(page, 'specification-graph')
    await page.getByRole('button', { name: 'Tasks', exact: true }).click()
    await picture(page, 'specification-tasks')
    await section(page, 'Decision').getByRole('button', { name: 'Request changes' }).click()
    await page
      .getByRole('dialog')
      .getByLabel('What should change?')
      .fill('add feature Export: a list is saved as a file')
    await picture(page, 'specification-request')
    await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click()
    await page.getByText('Revision 2').first().waitFor()
    await page
      .locator('.task-list')
      .getByText(/Export/i)
      .first()
      .waitFor()
    await section(page, 'Report').getByText('Changes asked for').waitFor()
    await section(page, 'Decision').getByRole('button', { name: 'Approve' }).click()
    await section(page, 'Decision').getByText('Approved by').waitFor()
    await picture(page, 'specification-approved')
    expect(existsSync(join(workspace.root, `users/test/ideas/${slug}/build/tasks.md`))).toBe(true)
  })
})
