const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'tsx',
  tsx: 'tsx',
  mts: 'tsx',
  cts: 'tsx',
  js: 'tsx',
  jsx: 'tsx',
  mjs: 'tsx',
  cjs: 'tsx',
  json: 'json',
  css: 'css',
  go: 'go',
  java: 'java',
  py: 'python',
  rs: 'rust',
  yaml: 'yaml',
  yml: 'yaml',
}

/** Null: shown without colours. */
export function languageOf(path: string): string | null {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? null) : null
}

interface Named {
  readonly oldPath: string
  readonly newPath: string
  readonly type: string
}

export function pathOf({ oldPath, newPath, type }: Named): string {
  if (type === 'delete') return oldPath
  if (type === 'rename' || type === 'copy') return `${oldPath} → ${newPath}`
  return newPath
}
