// Engines and gates that run as another user of the machine: they deliver, and can read nothing that decides.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { announcedDaemon, treadle } from '../kit/daemon.ts'
import { needOtherUser } from '../kit/other-user.ts'
import { addRepair, itemNumber, moduleOf, repair, TEST_SCRIPT, until, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const room = ({ root }: Workspace) => dirname(root)

/** Says who runs it, and whatever of the owner's that user can read or write. */
const LOOK = `root=$PWD/../../..
for file in $root/.treadle/token $root/.treadle/daemon.json $root/.treadle/logs/daemon.log ROOM/home/.config/treadle/owner.key; do
  cat $file >/dev/null 2>&1 && echo "reads $file"
done
ls $root/.treadle >/dev/null 2>&1 && echo 'lists .treadle'
ls $root/.treadle/worktrees >/dev/null 2>&1 && echo 'lists the worktrees'
(echo x > $root/README.md) 2>/dev/null && echo 'writes to the checkout'
git config core.sshCommand evil 2>/dev/null && echo 'writes to git'
env | grep -c TREADLE_AS_USER | grep -v 0
git diff --quiet HEAD 2>/dev/null; [ $? -lt 2 ] || echo 'git does not work'
echo "$(id -un) in $HOME"
`

const COMMAND = `n=\${TREADLE_COMMAND#/project-start }
[ -s "$TREADLE_PROMPT_FILE" ] || exit 1
sh look.sh > engine.txt
file=$(printf 'src/module-%02d.txt' "$n")
sed 's/wrong/right/' "$file" > "$file.new" && mv "$file.new" "$file"
printf 'Treadle: done\\n' > "$TREADLE_RESPONSE_FILE"
`

function shopFor(engine: 'scripted' | 'command'): Workspace {
  const workspace = shop({
    scripts: [[[{ run: { command: 'sh look.sh > engine.txt' } }, repair(1)]]],
    settings: {
      merge: { approval: 'human', target: 'main' },
      approval: { confirm: 'auto' },
      ...(engine === 'command'
        ? { engines: { default: 'command', command: { run: 'sh engine.sh' } } as never }
        : {}),
    },
    files: { 'engine.sh': COMMAND },
  })
  workspace.write('look.sh', LOOK.replaceAll('ROOM', room(workspace)))
  workspace.write('test.sh', `sh look.sh > ${room(workspace)}/said/$$.txt\n${TEST_SCRIPT}`)
  workspace.git('add', '--all')
  workspace.git('commit', '--quiet', '--message', 'looks')
  const said = join(room(workspace), 'said')
  mkdirSync(said)
  chmodSync(said, 0o777)
  return workspace
}

const UP = ['up', '--detach', '--json', '--agents', '1', '--as-user']

test.for(['scripted', 'command'] as const)(
  '%s and the gates run as the user, read nothing that decides, and the approval says so',
  async (engine, context) => {
    const user = needOtherUser(context)
    const workspace = shopFor(engine)
    // Another user gets to the checkout only if the folders above let it through.
    const shut = await treadle(workspace, [...UP, user.name])
    expect(shut.code).toBe(1)
    expect(shut.stderr).toContain(`${user.name} cannot get to`)
    expect(shut.stderr).toContain(`${room(workspace)} is closed to it`)
    chmodSync(room(workspace), 0o711)
    const begun = await treadle(workspace, [...UP, user.name])
    expect(begun.stderr).toContain(`Engines and gates run as ${user.name}, who cannot read your key`)
    const daemon = announcedDaemon(workspace, begun.stdout)
    const { decisions } = await daemon.client.workspace()
    expect(decisions).toEqual({ restsOn: 'other_user', code: false, why: null })
    await addRepair(daemon, 1)
    expect(await until(daemon, 1, 'in_review', 'escalated')).toMatchObject({ state: 'in_review' })
    const { headCommit } = await itemNumber(daemon, 1)
    const alone = `${user.name} in /tmp`
    expect(workspace.git('show', `${headCommit}:engine.txt`)).toBe(alone)
    expect(workspace.git('show', `${headCommit}:${moduleOf(1)}`)).toContain('state: right')
    const { code, stderr } = await treadle(workspace, ['review', 'approve', '1'])
    expect(code, stderr).toBe(0)
    const { approval, mergeCommit } = await until(daemon, 1, 'done')
    expect(approval).toMatchObject({ kind: 'human', restsOn: 'other_user' })
    const said = readdirSync(join(room(workspace), 'said')).map((name) =>
      readFileSync(join(room(workspace), 'said', name), 'utf8').trim(),
    )
    // In the agent's worktree, in the clean checkout of the review, and on the merged tree.
    expect(said.length).toBeGreaterThanOrEqual(3)
    expect(new Set(said)).toEqual(new Set([alone]))
    const notes = workspace.git('for-each-ref', '--format=%(refname)', 'refs/notes')
    expect(workspace.git('notes', `--ref=${notes}`, 'show', mergeCommit ?? '')).toContain('other_user')
    expect(statSync(join(workspace.root, moduleOf(1))).uid).toBe(process.getuid?.())
    const again = await treadle(workspace, [...UP, 'daemon'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`as ${user.name}, not as daemon`)])
  },
)

test('a user is no sandbox: where one is required, nothing is started', async (context) => {
  const { name } = needOtherUser(context)
  const workspace = shop({ scripts: [], settings: { sandbox: { mode: 'required', show: [] } } })
  const { code, stderr } = await treadle(workspace, [...UP, name])
  expect([code, stderr]).toEqual([1, expect.stringContaining('a sandbox is required')])
})
