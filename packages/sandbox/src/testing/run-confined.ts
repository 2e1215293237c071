// Run by tests, as whoever they choose: confines a command as its one argument says, and prints how it ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { confine } from '../confine.ts'
import type { Confine } from '../wanted.ts'

const [text = '{}'] = process.argv.slice(2)
const wanted: Confine & { readonly drop?: readonly string[] } = JSON.parse(text)
const confined = await confine(wanted)
if (confined.is === 'refused') process.stdout.write(JSON.stringify(confined))
else {
  const dropped = wanted.drop ?? []
  const argv = confined.argv.filter((word) => !dropped.includes(word))
  const [program = '', ...args] = argv
  const { env } = confined
  // Not waited for in a way that would stop this process: it passes services in.
  const child = spawn(program, args, { env, cwd: wanted.cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    stdout += more
  })
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more
  })
  const [status] = await once(child, 'close')
  confined.close()
  const proc = confined.view?.proc
  process.stdout.write(JSON.stringify({ is: 'ended', status, stdout, stderr, proc }))
}
