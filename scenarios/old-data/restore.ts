// A workspace as an earlier version has left it: repository, database, reports that were not sent, session file.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workspacePaths } from '@treadle/contracts/workspace'
import { loadDump } from '@treadle/store/testing/load-dump'
import { cleanEnv } from '../env.ts'
import { shareTemplates, type Workspace } from '../kit/workspace.ts'
import { settingsOf } from './settings.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

export async function restoreWorkspace(name: string): Promise<Workspace> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-old-')))
  const [root, home, kept] = [join(base, 'repository'), join(base, 'home'), join(FIXTURES, name)]
  const paths = workspacePaths(root)
  for (const dir of [root, home, paths.spool, paths.sessions]) mkdirSync(dir, { recursive: true })
  shareTemplates(home)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: cleanEnv(home), encoding: 'utf8', stdio: 'pipe' }).trim()
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  const setConfig = (settings: unknown) => write('treadle.json', `${JSON.stringify(settings, null, 2)}\n`)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.invalid')
  git('fetch', '--quiet', '--update-head-ok', join(kept, 'repository.bundle'), '+refs/*:refs/*')
  git('reset', '--quiet', '--hard', 'main')
  // What came since is turned off: the engine of that time speaks to the test through the home.
  const settings = settingsOf('human')
  setConfig({
    ...settings,
    tests: { ...settings.tests, readiness: 'off', canary: 'off' },
    sandbox: { mode: 'off' },
    approval: { confirm: 'never' },
  })
  cpSync(join(kept, 'scenario.json'), join(home, 'scenario.json'))
  cpSync(join(kept, 'place'), paths.place)
  cpSync(join(kept, 'agent-1.session'), join(paths.sessions, 'agent-1.session'))
  for (const file of ['agent-1.jsonl', 'agent-1.jsonl.acked'])
    cpSync(join(kept, file), join(paths.spool, file))
  await loadDump({ target: { is: 'embedded', dir: paths.store }, schema: 'treadle' }, name)
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  return { root, home, paths, git, write, setConfig, remove }
}
