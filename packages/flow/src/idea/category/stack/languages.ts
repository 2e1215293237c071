// Which languages a repository is written in, by the endings of its files.

export interface LanguageShare {
  readonly name: string
  /** Of all files that are written in one of the languages, from 0 to 1. */
  readonly share: number
}

const ENDINGS: Readonly<Record<string, string>> = {
  TypeScript: 'ts tsx mts cts',
  JavaScript: 'js jsx mjs cjs',
  Python: 'py pyi',
  Java: 'java',
  Kotlin: 'kt kts',
  Scala: 'scala sbt',
  Groovy: 'groovy',
  Clojure: 'clj cljs cljc',
  Go: 'go',
  Rust: 'rs',
  C: 'c h',
  'C++': 'cc cpp cxx hpp hh hxx',
  'C#': 'cs',
  'F#': 'fs fsx',
  'Objective-C': 'm mm',
  Swift: 'swift',
  Dart: 'dart',
  Ruby: 'rb rake',
  PHP: 'php',
  Perl: 'pl pm',
  Lua: 'lua',
  R: 'r',
  Julia: 'jl',
  Haskell: 'hs',
  OCaml: 'ml mli',
  Elixir: 'ex exs',
  Erlang: 'erl hrl',
  Elm: 'elm',
  Zig: 'zig',
  Nim: 'nim',
  Vue: 'vue',
  Svelte: 'svelte',
  Astro: 'astro',
  HTML: 'html htm',
  CSS: 'css scss sass less',
  SQL: 'sql',
  Shell: 'sh bash zsh',
  PowerShell: 'ps1',
  HCL: 'tf hcl',
  Solidity: 'sol',
  'Protocol Buffers': 'proto',
  GraphQL: 'graphql gql',
}
const LANGUAGE_OF = new Map(
  Object.entries(ENDINGS).flatMap(([name, endings]) =>
    endings.split(' ').map((ending) => [ending, name] as const),
  ),
)

/** Folders of what others wrote, or a program. */
const NOT_OWN =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|dist|build|out|target|coverage|__pycache__|\.yarn|\.next|Pods)\//
const MADE = /\.min\.(?:js|css)$|\.d\.[cm]?ts$|[._-](?:pb|generated|gen)\.\w{1,5}$/

/** The files that people of the project write. Each folder is looked at once, as there may be very many files. */
export function ownAmong(paths: readonly string[]): string[] {
  const folders = new Map<string, boolean>()
  return paths.filter((path) => {
    const slash = path.lastIndexOf('/') + 1
    const folder = path.slice(0, slash)
    const isOwn = folders.get(folder) ?? !NOT_OWN.test(folder)
    folders.set(folder, isOwn)
    return isOwn && !MADE.test(path.slice(slash))
  })
}

/** The greatest share first; languages of the same share by name. */
export function languagesOf(own: readonly string[]): LanguageShare[] {
  const counts = new Map<string, number>()
  for (const path of own) {
    const language = LANGUAGE_OF.get(endingOf(path))
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...counts]
    .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([name, count]) => ({ name, share: count / total }))
}

function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1, dot + 12).toLowerCase()
}
