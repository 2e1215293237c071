// Settings of git, one by one: which of a repository are plain data, and how they are written down.

export interface ConfigEntry {
  /** As git lists it: section and name in small letters, what stands between them as it was written. */
  readonly key: string
  /** The value; null for a name without one, which git takes for true. */
  readonly value: string | null
}

/** The output of `git config --list -z`. */
export function readEntries(listed: string): ConfigEntry[] {
  return listed
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('\n')
      return at < 0 ? { key: entry, value: null } : { key: entry.slice(0, at), value: entry.slice(at + 1) }
    })
}

// An allow-list: a setting that a later git invents is left out until it is known to be data.
const data: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|bare|filemode|symlinks|ignorecase|precomposeunicode|logallrefupdates)$/,
  /^core\.(?:autocrlf|eol|safecrlf|sharedrepository|quotepath|excludesfile|longpaths|protecthfs|protectntfs)$/,
  /^core\.sparsecheckout(?:cone)?$/,
  /^extensions\.(?!worktreeconfig$)[a-z]+$/,
  /^remote\..+\.(?:url|pushurl|fetch|push|tagopt|prune|promisor|partialclonefilter)$/s,
  /^branch\..+\.(?:remote|pushremote|merge|rebase)$/s,
  /^(?:user|author|committer)\.(?:name|email)$/,
  /^user\.(?:signingkey|useconfigonly)$/,
  /^commit\.gpgsign$/,
  /^gpg\.format$/,
  /^http\..+\.extraheader$/s,
  /^credential\..+\.username$/s,
  /^notes\.[a-z]+$/,
]

// Settings that `git lfs install --local` writes. The program is the user's, by its name alone.
const largeFiles: ReadonlyMap<string, RegExp> = new Map([
  ['filter.lfs.clean', /^git-lfs clean -- %f$/],
  ['filter.lfs.smudge', /^git-lfs smudge (?:--skip )?-- %f$/],
  ['filter.lfs.process', /^git-lfs filter-process(?: --skip)?$/],
  ['filter.lfs.required', /^(?:true|false)$/],
])

/** Whether a setting of a repository holds in our own commands. */
export function carriedOver({ key, value }: ConfigEntry): boolean {
  return data.some((pattern) => pattern.test(key)) || (largeFiles.get(key)?.test(value ?? 'true') ?? false)
}

/** The text of a file of git's configuration. */
export function renderConfig(entries: readonly ConfigEntry[]): string {
  return entries
    .map(({ key, value }) => {
      const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
      const between = first === last ? '' : ` "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"`
      const name = key.slice(last + 1)
      return `[${key.slice(0, first)}${between}]\n\t${name}${value === null ? '' : ` = "${quoted(value)}"`}\n`
    })
    .join('')
}

function quoted(value: string): string {
  return value
    .replace(/["\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\b', '\\b')
}
