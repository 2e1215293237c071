// The commits of a repository, newest first, with what each of them changed.
import type { Git } from '@treadle/git/git'

export interface ChangedFile {
  readonly path: string
  readonly status: string
  /** Added and removed together; null for what is not text. */
  readonly lines: number | null
}

export interface Commit {
  readonly hash: string
  readonly parent: string
  readonly date: string
  readonly subject: string
  readonly files: readonly ChangedFile[]
}

interface Walk {
  readonly since: string | null
  readonly max: number
}

const NO_FETCH = { GIT_NO_LAZY_FETCH: '1' }
const MARK = '\x01'
const FIELD = '\x1f'
const REGULAR = /^:\d{6} (100644|100755|000000) [0-9a-f]+ [0-9a-f]+ ([AMD])\t/

export async function readCommits(git: Git, { since, max }: Walk): Promise<Commit[]> {
  const format = `--format=${MARK}%H${FIELD}%P${FIELD}%cs${FIELD}%s`
  const { stdout } = await git.run(
    [
      '-c',
      'core.quotePath=false',
      'log',
      '--no-merges',
      '--no-renames',
      '--no-textconv',
      '--no-ext-diff',
      '--no-show-signature',
      '--raw',
      '--numstat',
      `--max-count=${max}`,
      ...(since === null ? [] : [`--since=${since}`]),
      format,
      'HEAD',
    ],
    { env: NO_FETCH },
  )
  return stdout.split(MARK).slice(1).flatMap(readCommit)
}

function readCommit(text: string): Commit[] {
  const [head = '', ...lines] = text.split('\n')
  const [hash = '', parents = '', date = '', subject = ''] = head.split(FIELD)
  const parent = parents.split(' ')[0] ?? ''
  // The first commit of all has nothing before it that could be mended.
  if (parent === '') return []
  const counts = new Map<string, number | null>()
  const statuses: { path: string; status: string }[] = []
  for (const line of lines) {
    if (line.startsWith(':')) statuses.push(readStatus(line))
    else readCount(line, counts)
  }
  const files = statuses.map((file) => ({ ...file, lines: counts.get(file.path) ?? null }))
  return [{ hash, parent, date, subject, files }]
}

/** Links and submodules get the status X, which nobody asks for. */
function readStatus(line: string): { path: string; status: string } {
  const path = line.slice(line.indexOf('\t') + 1)
  return { path, status: REGULAR.exec(line)?.[2] ?? 'X' }
}

function readCount(line: string, counts: Map<string, number | null>): void {
  const [added, removed, path] = line.split('\t')
  if (added === undefined || removed === undefined || path === undefined) return
  counts.set(path, added === '-' ? null : Number(added) + Number(removed))
}

/** The text of a file in a commit; null if it is not there. */
export async function textAt(git: Git, commit: string, path: string): Promise<string | null> {
  const { code, stdout } = await git.run(['cat-file', 'blob', `${commit}:${path}`], {
    ok: [0, 128],
    env: NO_FETCH,
  })
  return code === 0 ? stdout : null
}

/** The commits after one that changed a file, newest first. */
export async function laterChanges(git: Git, commit: string, path: string): Promise<string[]> {
  const args = ['log', '--no-merges', '--format=%H', `${commit}..HEAD`, '--', path]
  const { stdout } = await git.run(args, { env: NO_FETCH })
  return stdout.split('\n').filter((line) => line !== '')
}
