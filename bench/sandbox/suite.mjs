// What a test suite does, in small: hashing, files in the temporary folder, child processes. Prints its processor seconds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [rounds = '1'] = process.argv.slice(2)
const folder = mkdtempSync(join(process.cwd(), 'suite-'))
const bytes = Buffer.alloc(1 << 20, 'x')
for (let round = 0; round < Number(rounds); round += 1) {
  for (let at = 0; at < 60; at += 1) createHash('sha256').update(bytes).update(String(at)).digest()
  for (let at = 0; at < 40; at += 1) {
    writeFileSync(join(folder, `${at}`), bytes.subarray(0, 4096))
    readFileSync(join(folder, `${at}`))
  }
  spawnSync(process.execPath, ['-e', 'for (let i = 0; i < 1e7; i += 1) Math.sqrt(i)'])
}
rmSync(folder, { recursive: true })
const [own, children] = [process.cpuUsage(), childrenSeconds()]
process.stdout.write(`${(own.user + own.system) / 1e6 + children}\n`)

/** Of the children that were waited for: fields 16 and 17 of stat, in ticks of 10 ms. */
function childrenSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
