// A new worktree has the folders of its submodules, and nothing in them. What the repository has here is put there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from './git.ts'

/**
 * From the repository's own copies alone, never over the network; what cannot be had stays empty, and its path is
 * told. A clone takes them from the repository that it was cloned `from`.
 */
export async function fillSubmodules(git: Git, worktree: string, from: Git = git): Promise<string[]> {
  if (!existsSync(join(worktree, '.gitmodules'))) return []
  const empty: string[] = []
  const modules = join(await from.commonDir(), 'modules')
  for (const { name, path } of await submodulesOf(git, worktree)) {
    const copy = join(modules, name)
    if (!copy.startsWith(`${modules}/`) || !existsSync(copy)) {
      empty.push(path)
      continue
    }
    const env = configEnv({ [`submodule.${name}.url`]: copy, [`submodule.${name}.update`]: 'checkout' })
    const args = ['--literal-pathspecs', 'submodule', '--quiet', 'update', '--', path]
    const { code } = await git.run(args, {
      cwd: worktree,
      env: { ...env, GIT_ALLOW_PROTOCOL: 'file' },
      ok: [0, 1, 128],
    })
    if (code !== 0) empty.push(path)
  }
  return empty
}

async function submodulesOf(git: Git, cwd: string): Promise<{ name: string; path: string }[]> {
  const args = ['config', '-f', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$']
  const { stdout } = await git.run(args, { cwd, ok: [0, 1, 3] })
  return stdout.split('\0').flatMap((entry) => {
    const [key = '', path = ''] = entry.split('\n', 2)
    return path === '' ? [] : [{ name: key.slice('submodule.'.length, -'.path'.length), path }]
  })
}

/** Settings for one command; as arguments, a name with an equals sign in it would be cut. */
function configEnv(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings)
  const each = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(each) }
}
