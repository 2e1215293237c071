// When the lines of a file were last changed, by the history of the checkout.
import { type GitOptions, openGit } from './git.ts'

/** Null for a line that is not committed; none at all for a file that git does not know. */
export async function lineTimes(
  options: GitOptions,
  path: string,
  commit: string | null = null,
): Promise<(Date | null)[]> {
  const args = ['blame', '--line-porcelain', ...(commit === null ? [] : [commit]), '--', path]
  const { code, stdout } = await openGit(options).run(args, { ok: [0, 128] })
  if (code !== 0) return []
  const times: (Date | null)[] = []
  let [isCommitted, seconds] = [false, 0]
  for (const line of stdout.split('\n')) {
    const head = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1]
    if (head !== undefined) isCommitted = !/^0+$/.test(head)
    else if (line.startsWith('committer-time ')) seconds = Number(line.slice('committer-time '.length))
    // The line itself comes last, behind a tab.
    else if (line.startsWith('\t')) times.push(isCommitted ? new Date(seconds * 1_000) : null)
  }
  return times
}
