import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { desktopProgram, openDesktop } from './desktop.ts'
import { message } from './testing/message.ts'

const dir = mkdtempSync(join(tmpdir(), 'treadle-desktop-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const running = new AbortController().signal

/** A program in the place of notify-send: it writes down its arguments, one per line and quoted. */
function desktop(name: string, script: string, timeoutMs = 60_000) {
  const bin = mkdtempSync(join(dir, name))
  const file = join(bin, 'notify-send')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  const env = { PATH: `${bin}:/usr/bin:/bin`, OUT: join(bin, 'out') }
  return { ...openDesktop({ platform: 'linux', env, place: 'here', timeoutMs }), out: env.OUT }
}

test('the words arrive as they are: no shell, no option and no markup is made of them', async () => {
  const { out, send } = desktop('told', 'for each in "$@"; do printf "%s\\0" "$each"; done > "$OUT"')
  expect(await send(message(), running)).toEqual({ is: 'sent' })
  const given = readFileSync(out, 'utf8').split('\0').slice(0, -1)
  expect(given).toEqual([
    '--urgency=normal',
    '--app-name=Treadle',
    '--',
    message().title,
    'expected 1 &lt; 2 &amp;&amp; `rm`\n&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt; *bold* _x_ [a](b) &amp;lt;\nSee it &lt;now&gt;: treadle explain 4 &amp; more\nRead the log',
  ])
  expect(existsSync('pwned')).toBe(false)
})

test.each([
  ['fails', 'echo "no bus" >&2; exit 3', 60_000, 'notify-send ended with 3: no bus'],
  ['hangs', 'exec sleep 60', 200, 'notify-send did not end'],
])('one that %s is worth another try', async (name, script, timeoutMs, why) => {
  expect(await desktop(name, script, timeoutMs).send(message(), running)).toEqual({ is: 'failed', why })
})

test('where there is none, that is what is said', async () => {
  const none = openDesktop({ platform: 'linux', env: { PATH: join(dir, 'nothing') }, place: 'here' })
  const why = 'notify-send is not installed'
  expect(await none.send(message(), running)).toEqual({ is: 'refused', why })
})

test('where there is none and a folder of PATH may not be searched, the same is said', async () => {
  const closed = mkdtempSync(join(dir, 'closed'))
  chmodSync(closed, 0)
  onTestFinished(() => chmodSync(closed, 0o700))
  // The bits mean nothing to root, so that the sender becomes somebody else when it is root.
  const script = `
    const { openDesktop } = await import(${JSON.stringify(new URL('./desktop.ts', import.meta.url).href)})
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    const none = openDesktop({ platform: 'linux', env: { PATH: ${JSON.stringify(closed)} }, place: 'here' })
    const sent = await none.send(${JSON.stringify(message())}, new AbortController().signal)
    console.log(JSON.stringify(sent))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(JSON.parse(stdout)).toEqual({ is: 'refused', why: 'notify-send is not installed' })
})

test('on a Mac and on Windows the words are arguments or variables, never part of a program', () => {
  const mac = desktopProgram('darwin', message())
  expect(mac.args.slice(0, 6).join(' ')).not.toContain('needs you')
  expect(mac.args[6]).toBe(message().title)
  const windows = desktopProgram('win32', message())
  expect(windows.args.join(' ')).not.toContain('needs you')
  expect(windows.env?.TREADLE_NOTICE_TITLE).toBe(message().title)
})

test.each([
  [{ level: 'critical' } as const, 'critical'],
  [{ level: 'info', blocking: true } as const, 'critical'],
  [{ level: 'info' } as const, 'low'],
])('%o is %s', (given, urgency) => {
  expect(desktopProgram('linux', message(given)).args[0]).toBe(`--urgency=${urgency}`)
})
