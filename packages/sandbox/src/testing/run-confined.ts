// Run by tests, as whoever they choose: confines a command as its one argument says, and prints how it ended.
import { spawnSync } from 'node:child_process'
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
  const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: wanted.cwd, encoding: 'utf8' })
  confined.close()
  const proc = confined.view?.proc
  process.stdout.write(JSON.stringify({ is: 'ended', status, stdout, stderr, proc }))
}
