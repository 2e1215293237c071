// Code that the crew runs, in an engine's turn and in a gate, takes all that an agent has and tries to decide for the
// owner with it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { announcedDaemon, treadle } from '../kit/daemon.ts'
import {
  addRepair,
  eventsOf,
  itemNumber,
  moduleOf,
  repair,
  TEST_SCRIPT,
  until,
  useShops,
} from '../kit/shop.ts'
import { makeOwnerKey } from '../kit/workspace.ts'

const shop = useShops()

/** Finds the workspace from inside it, and asks for everything that is the owner's, with the token and in his name. */
const ATTACK = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
const [, , who] = process.argv
let root = process.cwd()
while (!existsSync(join(root, '.treadle/daemon.json')) && dirname(root) !== root) root = dirname(root)
const state = join(root, '.treadle')
if (!existsSync(join(state, 'token'))) process.exit(0)
const token = readFileSync(join(state, 'token'), 'utf8').trim()
const { url } = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8'))
const by = { by: 'the-owner' }
const item = '/api/projects/1/issues/1'
const asks = {
  approve: [item + '/approve', by],
  reject: [item + '/reject', { ...by, feedback: 'no' }],
  reopen: [item + '/reopen', by],
  withdraw: [item + '/withdraw', by],
  release: [item + '/release', by],
  answer: ['/api/questions/00000000-0000-4000-8000-000000000000/answer', { ...by, text: 'yes' }],
  guide: ['/api/runs/00000000-0000-4000-8000-000000000000/guidance', { ...by, text: 'yes' }],
  order: ['/api/orders', { ...by, order: { is: 'resume_all' } }],
  preview: ['/api/orders/preview', { order: { is: 'rollback', phase: 3 } }],
  crew: ['/api/agents', { ...by, count: 10 }],
  agent: ['/api/agents/agent-1/stop', by],
  lesson: ['/api/knowledge/00000000/supersede', { why: 'no' }],
  forget: ['/api/preferences/1/forget', {}],
  shutdown: ['/api/shutdown', by],
}
const found = {}
for (const [name, [path, body]] of Object.entries(asks)) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  found[name] = [answer.status, (await answer.json()).error?.code]
}
const said = { method: 'POST', headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' } }
const added = await fetch(url + '/api/items', { ...said, body: JSON.stringify({ title: who, status: 'backlog', by: 'human' }) })
const { number } = await added.json()
const text = JSON.stringify({ found, number, env: process.env })
writeFileSync(join(process.env.HOME, 'attack-' + who + '.json'), text)
`

interface Report {
  readonly found: Readonly<Record<string, readonly [number, string]>>
  readonly number: number
  readonly env: Readonly<Record<string, string>>
}

test('neither an engine nor a gate decides anything with the token and the whole environment', async () => {
  const run = (who: string) => `"${process.execPath}" "$HOME/attack.mjs" ${who} >/dev/null 2>&1 || true`
  const workspace = shop({
    scripts: [[[{ run: { command: run('engine') } }, repair(1)]]],
    files: { 'test.sh': `[ -e "$HOME/attack-gate.json" ] || ${run('gate')}\n${TEST_SCRIPT}` },
    settings: {
      merge: { approval: 'human', target: 'main' },
      // Nothing but the keys stands between this code and the decision.
      sandbox: { mode: 'off' },
    },
  })
  writeFileSync(join(workspace.home, 'attack.mjs'), ATTACK)
  const ownerKey = makeOwnerKey(workspace.home)
  const keyFile = join(workspace.home, 'script.key')
  writeFileSync(keyFile, `${ownerKey}\n`, { mode: 0o600 })
  const begun = await treadle(workspace, ['up', '--detach', '--json', '--agents', '1'], {
    TREADLE_OWNER_KEY_FILE: keyFile,
  })
  const daemon = announcedDaemon(workspace, begun.stdout)
  await addRepair(daemon, 1)
  expect(await until(daemon, 1, 'in_review', 'escalated')).toMatchObject({ state: 'in_review' })
  for (const who of ['engine', 'gate']) {
    const file = join(workspace.home, `attack-${who}.json`)
    expect(existsSync(file), who).toBe(true)
    const { found, number, env }: Report = JSON.parse(readFileSync(file, 'utf8'))
    const refused = Object.fromEntries(Object.keys(found).map((name) => [name, [403, 'owner_key_needed']]))
    expect(found, who).toEqual(refused)
    expect(Object.keys(found)).toHaveLength(14)
    // The environment holds neither the key nor the name of its file.
    expect(JSON.stringify(env), who).not.toContain(ownerKey)
    expect(Object.keys(env), who).not.toContain('TREADLE_OWNER_KEY_FILE')
    const [added] = (await eventsOf(daemon, number)).filter(({ event }) => event.type === 'item.added')
    expect(added?.event, who).toMatchObject({ title: who, by: 'agent' })
  }
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'in_review', approval: null, mergeCommit: null })
  expect(workspace.git('show', `main:${moduleOf(1)}`)).toContain('state: wrong')
})
