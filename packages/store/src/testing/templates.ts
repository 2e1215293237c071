// What tests share of the embedded database, so that none of them makes it or compiles it for itself.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../connect.ts'
import { compiledPath } from '../driver/template.ts'

/** The folder of databases ready to be copied, and of their code, compiled. */
export const TEMPLATES = join(tmpdir(), `treadle-test-templates-${userInfo().username}`)

/** Without compiled code tests only take longer, so it is not waited for for ever. */
const COMPILE_MS_MAX = 180_000

/**
 * Has template and compiled code made, once for a machine, before the first test. Daemons would do it too, but those of
 * tests mostly end before they are done, and then the next one begins anew.
 */
export async function prepareTemplates(): Promise<void> {
  if (isCompiled()) return
  const dir = mkdtempSync(join(tmpdir(), 'treadle-store-'))
  const target = { is: 'embedded', dir } as const
  const store = await openStore(target, {
    now: () => new Date(),
    templateDir: TEMPLATES,
    compilesAhead: true,
  })
  try {
    const until = Date.now() + COMPILE_MS_MAX
    while (!isCompiled() && Date.now() < until) await sleep(100)
  } finally {
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

function isCompiled(): boolean {
  const file = compiledPath(TEMPLATES)
  return existsSync(file) || existsSync(`${file}.refused`)
}
