// A small conflict taken out of the way in a throw-away checkout. Where both sides changed the same lines, the target's
// side wins: in a rebase that is git's "ours", in a merge of the target into the branch it is "theirs".
import type { Resolved, ResolveRequest } from '@treadle/flow/ports/git'
import type { Git } from './git.ts'
import { headAt } from './own-branch.ts'
import { needCommit } from './refs.ts'

const unattended = {
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'rerere.enabled',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'merge.conflictStyle',
  GIT_CONFIG_VALUE_1: 'merge',
}

/** `cwd` is a checkout of the head that is on no branch; a failure leaves it as it was. */
export async function resolveIn(git: Git, cwd: string, request: ResolveRequest): Promise<Resolved> {
  const onto = await needCommit(git, request.onto)
  const env = { ...(await git.identity(cwd)), ...unattended }
  const tried = await git.run(argsOf(request, onto), { cwd, env, ok: [0, 1, 2, 128] })
  if (tried.code !== 0) {
    const left = await git.run(['diff', '--name-only', '--diff-filter=U', '-z'], { cwd, ok: [0, 1, 128] })
    await git.run([request.how, '--abort'], { cwd, env, ok: [0, 1, 128] })
    const files = left.stdout.split('\0').filter((name) => name !== '')
    const said = tried.stderr.trim().split('\n')[0] ?? ''
    return { is: 'failed', why: files.length > 0 ? `no side can be taken for ${files.join(', ')}` : said }
  }
  const commit = await headAt(git, cwd)
  const same = await git.run(['diff', '--quiet', '--no-ext-diff', onto, commit], { cwd, ok: [0, 1] })
  return same.code === 0
    ? { is: 'failed', why: 'nothing of the change would be left' }
    : { is: 'resolved', commit }
}

function argsOf({ how, message }: ResolveRequest, onto: string): string[] {
  if (how === 'rebase') {
    // References of other branches must stay where they are, whatever the user has configured.
    const alone = ['--no-autostash', '--no-update-refs', '--no-fork-point', '--no-verify']
    return ['rebase', '--quiet', '--strategy=ort', '-Xours', '--empty=drop', ...alone, onto]
  }
  return ['merge', '--quiet', '--no-ff', '--no-stat', '--no-verify', '-Xtheirs', '-m', message, onto]
}
