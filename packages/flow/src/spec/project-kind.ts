// What kind of project a repository or a brief is: what it has files for, and what would be foreign to it.

export type ProjectKind = 'web' | 'service' | 'library' | 'cli' | 'mobile' | 'pipeline' | 'docs' | 'extension'

export type Language = 'ts' | 'js' | 'py' | 'go' | 'rs' | 'other'

/** Languages and registries whose packages others use. */
const ECOSYSTEM =
  'npm|pip|pypi|python|node(?:\\.js)?|rust|go|ruby|java|kotlin|swift|php|composer|nuget|javascript|typescript|react|vue|svelte|angular|deno|utility'
/** What has a library of books or pictures, and is none of code. */
const SHELVES =
  'public|city|town|village|school|university|lending|home|photo|picture|image|music|audio|video|film|movie|media|book|game|recipe|(?:for|of|in|at|from) (?:an?|the|our|their|your|my)|their|your|his|her'

const LIBRARY = new RegExp(
  [
    `(?<!\\b(?:${SHELVES}) )\\blibrary\\b(?! of (?:books|photos|pictures|films|music|recipes|games))`,
    '\\b(?:npm|python|pypi|node|rust|go|ruby|utility) (?:package|module|crate)\\b',
    '\\b(?:sdk|crate|reusable (?:module|package)|parser package|functions? package)\\b',
  ].join('|'),
)

/** Said in passing as well, so only the title and the solution are taken at these words. */
const LIBRARY_BY_NAME = new RegExp(
  [
    `\\b(?:${ECOSYSTEM}) (?:package|module|gem|helpers?|hooks?|utilit(?:y|ies)|toolkit|functions?)\\b`,
    '\\b(?:dependency-free|zero-dependency|tiny|small) (?:package|module|helper|function)\\b',
    '\\b(?:middleware|polyfill|helper functions?|parser for)\\b',
    '\\b(?:eslint|babel|vite|webpack|rollup|postcss|prettier|jest|vitest) (?:plug-?in|rule|preset|loader)\\b',
    '\\bplug-?in for (?:eslint|babel|vite|webpack|rollup|postcss|prettier|jest|vitest)\\b',
    '\\bfunctions? that (?:other )?programs (?:import|call|use)\\b',
  ].join('|'),
)

const KIND_WORDS: readonly (readonly [ProjectKind, RegExp])[] = [
  [
    'extension',
    /\b(?:(?:vs ?code|editor|browser|chrome|firefox|jetbrains) (?:extension|plug-?in|add-?on)|extension for (?:vs ?code|the editor|editors|browsers?))\b/,
  ],
  [
    'docs',
    /\b(?:docs? site|documentation (?:site|website|portal)|static (?:site|website)|(?:user|developer) handbook|knowledge base site)\b/,
  ],
  [
    'pipeline',
    /\b(?:data pipelines?|etl|elt|ingestion pipeline|batch (?:pipeline|jobs?)|nightly (?:import|job)s?)\b/,
  ],
  [
    'cli',
    /\b(?:cli|command[- ]line|terminal (?:tool|program|app)|shell (?:tool|command)|(?:bash|shell|python|node|perl|ruby|powershell) script)\b/,
  ],
  ['library', LIBRARY],
  [
    'mobile',
    /\b(?:mobile(?:[- ]first)? app|(?:ios|android|phone|tablet) app|react native|flutter|app for (?:ios|android|phones?))\b/,
  ],
  [
    'service',
    /\b(?:(?:rest|http|json|graphql|grpc|web) (?:api|service)|api service|(?:flask|fastapi|express|fastify|public|internal|back-?end) api|micro-?service|back-?end service|go service|(?:http|api) server|webhook (?:service|receiver|relay)|(?:telegram|slack|discord|matrix|irc|chat) ?bot|bot for (?:telegram|slack|discord|matrix|irc))\b/,
  ],
  [
    'web',
    /\b(?:web ?(?:app|application|site|page|shop|portal|platform|dashboard|tool|game)|online (?:shop|store|platform|marketplace)|(?:django|rails|laravel|next\.?js) (?:app|site)|single[- ]page app|saas|site (?:where|that|for|on which)|on the web|in the browser)\b/,
  ],
]

/** Said of something that is to be used, not made: "with a command-line client", "uses a library". */
const NOT_ITSELF =
  /\b(?:use|uses|using|with|via|through|by|no|not|without|instead of|from|unlike|like)(?: an?| the| any| some| his| her| your| our| their)?(?: \w+)?\s*$/

/**
 * The kind that a brief says it is, from its title and its solution before its other words; null: it does not say.
 */
export function kindSaid(
  texts: readonly string[],
  { beside = [] }: { readonly beside?: readonly string[] } = {},
): ProjectKind | null {
  const words = [...KIND_WORDS, ['library', LIBRARY_BY_NAME]] as const
  for (const [text, patterns] of [
    ...texts.map((each) => [each, words] as const),
    ...beside.map((each) => [each, KIND_WORDS] as const),
  ]) {
    const plain = text.toLowerCase().replace(/\s+/g, ' ')
    const found = patterns.flatMap(([kind, pattern]) => {
      const at = firstSaid(plain, pattern)
      return at === null ? [] : [{ kind, at }]
    })
    const [first] = found.sort((a, b) => a.at - b.at)
    if (first !== undefined) return first.kind
  }
  return null
}

/** Every kind that a text says it is. */
export function kindsSaid(texts: readonly string[]): ReadonlySet<ProjectKind> {
  const plain = texts.map((text) => text.toLowerCase().replace(/\s+/g, ' '))
  return new Set(
    KIND_WORDS.flatMap(([kind, pattern]) =>
      plain.some((text) => firstSaid(text, pattern) !== null) ? [kind] : [],
    ),
  )
}

function firstSaid(text: string, pattern: RegExp): number | null {
  for (const found of text.matchAll(new RegExp(pattern, 'g')))
    if (!NOT_ITSELF.test(text.slice(Math.max(0, found.index - 40), found.index))) return found.index
  return null
}

const LANGUAGE_WORDS: readonly (readonly [Language, RegExp])[] = [
  ['py', /\b(?:python|pypi|pip package|pandas|django|flask|fastapi|pytest)\b/],
  [
    'go',
    /\b(?:golang|go (?:service|module|package|program|binary|server|cli|tool|library)|(?:in|with) go)\b/,
  ],
  ['rs', /\b(?:rust|cargo|crate)\b/],
  ['js', /\b(?:plain|vanilla) (?:javascript|js)\b/],
]

const UNKNOWN_LANGUAGE =
  /(?<![\p{L}\p{N}.])(?:java|kotlin|scala|swift|ruby|php|c#|c\+\+|elixir|haskell|dart|perl|lua)(?![\p{L}\p{N}+#])/iu

/** A language of the brief whose layout is not known here, as it is written there; null: there is none. */
export function unknownLanguageIn(text: string): string | null {
  return UNKNOWN_LANGUAGE.exec(text)?.[0] ?? null
}

export function languageSaid(text: string): Language | null {
  const plain = text.toLowerCase().replace(/\s+/g, ' ')
  return LANGUAGE_WORDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null
}

const EXTENSIONS: Readonly<Record<string, Language>> = {
  ts: 'ts',
  tsx: 'ts',
  mts: 'ts',
  js: 'js',
  jsx: 'js',
  mjs: 'js',
  cjs: 'js',
  py: 'py',
  go: 'go',
  rs: 'rs',
}
const FOREIGN = /\.(?:java|kt|rb|php|cs|swift|c|cc|cpp|h|ex|exs|scala|vue|svelte|html|css|sql)$/
const ASIDE = /(?:^|\/)(?:node_modules|dist|build|vendor|\.[^/]+)\/|\.config\.[cm]?[jt]s$/

/** Files of code, without what is built or brought along. */
export function sourcesOf(files: readonly string[]): string[] {
  return files.filter((file) => !ASIDE.test(file) && (languageOf(file) !== null || FOREIGN.test(file)))
}

function languageOf(file: string): Language | null {
  return EXTENSIONS[/\.(\w+)$/.exec(file)?.[1] ?? ''] ?? null
}

/** The language of most files; null where there are none. */
export function mainLanguage(sources: readonly string[]): Language | null {
  const counts = new Map<Language, number>()
  for (const file of sources) {
    const language = languageOf(file)
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? (sources.length > 0 ? 'other' : null)
}
