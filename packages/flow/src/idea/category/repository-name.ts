// Whose a repository is and what it is called, by the address of its origin.

export interface RepositoryName {
  /** Null: the address does not tell. */
  readonly owner: string | null
  readonly repo: string
}

const PART = /^[\p{L}\p{N}._~-]{1,100}$/u

/**
 * `git@host:owner/repo.git`, `https://host/group/owner/repo`; null: it is an address on this machine or of no known
 * form. What stands before the host, such as a password, is not looked at.
 */
export function nameInUrl(url: string): RepositoryName | null {
  const path = pathIn(url.slice(0, 2_000).trim())
  if (path === null) return null
  const parts = path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((part) => part !== '')
  const repo = parts.pop()?.replace(/\.git$/, '') ?? ''
  if (!PART.test(repo) || !parts.every((part) => PART.test(part))) return null
  return { owner: parts.length === 0 ? null : parts.join('/'), repo }
}

function pathIn(url: string): string | null {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]{0,20}):\/\/(.*)$/i.exec(url) ?? []
  if (scheme !== '') {
    const slash = rest.indexOf('/')
    return /^file$/i.test(scheme) || slash < 0 ? null : rest.slice(slash + 1)
  }
  // As ssh is written short; a single letter before the colon is a drive.
  const colon = url.indexOf(':')
  return colon > 1 && !url.slice(0, colon).includes('/') ? url.slice(colon + 1) : null
}
