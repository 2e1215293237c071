// A crew whose engines and gates are confined: items are delivered, and what either tried on the side came to nothing.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { expect, onTestFinished, test } from 'vitest'
import {
  addRepair,
  itemNumber,
  moduleOf,
  moduleText,
  repair,
  TEST_SCRIPT,
  until,
  up,
  useShops,
} from '../kit/shop.ts'

const shop = useShops()

const MARK = `98${process.pid}`

/** Reads the token and a key, writes to the checkout of the owner and to its git, and leaves a process. */
const ATTACK = `root=$PWD/../../..
cat $root/.treadle/token $HOME/.ssh/id > stolen.txt 2>/dev/null
echo "agent $SSH_AUTH_SOCK" >> stolen.txt
echo x > $root/PWNED.txt
git config core.sshCommand evil; git update-ref refs/heads/main HEAD~1
setsid -f env -i /bin/sleep ${MARK}
true`

/** A test that is red if it gets at a secret or at a network, and that plants and leaves as much as it can. */
const GATE = `secret=$(cat .treadle/token .treadle/daemon.json ../../token "$HOME/.ssh/id" 2>/dev/null)
if [ -n "$secret" ]; then echo 'not ok 1 - a secret can be read'; exit 1; fi
if [ "$(wc -l < /proc/net/route)" -gt 1 ]; then echo 'not ok 1 - there is a network'; exit 1; fi
git config core.sshCommand evil; git update-ref refs/heads/main HEAD~1
setsid -f env -i /bin/sleep ${MARK}
${TEST_SCRIPT}`

const COMMAND = `${ATTACK}
n=\${TREADLE_COMMAND#/project-start }
file=$(printf 'src/module-%02d.txt' "$n")
sed 's/wrong/right/' "$file" > "$file.new" && mv "$file.new" "$file"
printf 'Treadle: done\\n' > "$TREADLE_RESPONSE_FILE"
`

test.for([
  ['scripted', {}],
  ['command', { command: { run: 'sh attack.sh' } }],
] as const)('%s delivers, and takes nothing along', async ([name, more], context) => {
  if (!(await needSandbox(context))) return
  const workspace = shop({
    scripts: [[[{ run: { command: ATTACK } }, repair(1)]]],
    settings: {
      sandbox: { mode: 'required' },
      engines: {
        default: name,
        sandbox: 'required',
        scripted: { scenario: '../home/scenario.json' },
        ...more,
      },
    } as never,
    files: { 'attack.sh': COMMAND, 'test.sh': GATE },
  })
  const key = join(workspace.home, '.ssh/id')
  workspace.git('init', '--quiet', join(workspace.home, '.ssh'))
  writeFileSync(key, 'SECRET')
  const head = workspace.git('rev-parse', 'main')
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await until(daemon, 1, 'done')
  const { headCommit } = await itemNumber(daemon, 1)
  expect(workspace.git('show', `${headCommit}:${moduleOf(1)}`)).toBe(moduleText(1, 'right').trim())
  const stolen = workspace.git('show', `${headCommit}:stolen.txt`)
  expect(stolen).toBe('agent')
  expect(existsSync(join(workspace.root, 'PWNED.txt'))).toBe(false)
  expect(workspace.git('merge-base', 'main', head)).toBe(head)
  expect(readFileSync(join(workspace.root, '.git/config'), 'utf8')).not.toContain('evil')
  const alive = () => execFileSync('ps', ['axo', 'args'], { encoding: 'utf8' }).includes(`/bin/sleep ${MARK}`)
  await expect.poll(alive).toBe(false)
})

const ASK = `const socket = require('node:net').connect(Number(process.argv[2]), '127.0.0.1')
socket.on('data', (text) => { process.exitCode = String(text) === 'database' ? 0 : 1 }).on('error', () => process.exit(1))
process.exitCode = 1
`

test('a crew whose tests need a declared service delivers: agent, review and merge all reach it', async (context) => {
  if (!(await needSandbox(context))) return
  let asked = 0
  const server = createServer((socket) => {
    asked += 1
    socket.end('database')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: { sandbox: { mode: 'required', reach: [`127.0.0.1:${port}`] } } as never,
    files: { 'ask.cjs': ASK, 'test.sh': `node ask.cjs ${port} || exit 1\n${TEST_SCRIPT}` },
  })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await until(daemon, 1, 'done')
  expect(asked).toBeGreaterThanOrEqual(3)
})
