// Which files a setting means. `*` stays within a folder, `**` does not; a pattern without a slash means any folder.

export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => patternOf(glob).test(path))
}

function patternOf(glob: string): RegExp {
  const anywhere = glob.includes('/') ? glob : `**/${glob}`
  return new RegExp(`^${translated(anywhere)}$`)
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|./gsu

function translated(glob: string): string {
  return glob.replace(TOKEN, (token) => {
    switch (token) {
      case '**/':
        return '(?:.*/)?'
      case '**':
        return '.*'
      case '*':
        return '[^/]*'
      case '?':
        return '[^/]'
      default:
        return token.length > 1 && token.startsWith('{')
          ? `(?:${token.slice(1, -1).split(',').map(translated).join('|')})`
          : token.replace(/[\\^$.+()[\]{}|]/, '\\$&')
    }
  })
}
