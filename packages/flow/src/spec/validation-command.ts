// The command that shows that a task is done, made of the repository's own test command and the task's file.

export interface CommandFacts {
  /** The suite of the workspace; null: nobody knows one. */
  readonly testCommand: string | null
  /** package.json, where there is one. */
  readonly manifest: string | null
  readonly hasTsConfig: boolean
  /** A runner that a person asked for, such as vitest. */
  readonly wanted: string | null
}

const RUNNERS: readonly (readonly [RegExp, (file: string, said: string) => string])[] = [
  [/\bvitest\b/, (file) => `npx vitest run ${file}`],
  [/\bjest\b/, (file) => `npx jest ${file}`],
  [/\bmocha\b/, (file) => `npx mocha ${file}`],
  [/\bplaywright\b/, (file) => `npx playwright test ${file}`],
  [/\bpytest\b/, (file, said) => `${pythonIn(said)} -m pytest ${file}`],
  [/\bunittest\b/, (file, said) => `${pythonIn(said)} -m unittest ${file}`],
  [/\bbun test\b/, (file) => `bun test ${file}`],
  [/\bdeno test\b/, (file) => `deno test ${file}`],
  [/\bnode(?:\s+--[\w-=]+)*\s+--test\b/, (file) => `node --test ${file}`],
]

/** The Python that the tests of the workspace are run with. */
function pythonIn(said: string): string {
  return /(?:^|\s)([\w./-]*python[\d.]*) -m (?:pytest|unittest)\b/.exec(said)?.[1] ?? 'python3'
}

/** The least that can be asked: the file is there and is not empty. */
export function presenceCommandFor(file: string): string {
  return `test -s ${quoted(file)}`
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

export function testCommandFor(file: string, facts: CommandFacts): string {
  const place = quoted(file)
  if (/\.py$/.test(file)) return runnerOf(facts, place) ?? `python3 -m pytest ${place}`
  if (/\.go$/.test(file)) return `go test ./${quoted(file.slice(0, Math.max(0, file.lastIndexOf('/'))))}/...`
  if (/\.rs$/.test(file)) return `cargo test --test ${quoted(file.replace(/^.*\/|\.rs$/g, ''))}`
  const runner = runnerOf(facts, place)
  if (runner !== null) return runner
  const { testCommand } = facts
  if (testCommand === null) return `node --test ${place}`
  // A suite of its own kind is run as it is, and the file must be there to be in it.
  return `test -s ${place} && ${testCommand}`
}

function runnerOf({ testCommand, manifest, wanted }: CommandFacts, place: string): string | null {
  const script = scriptIn(manifest)
  const isScript = testCommand === null || /^(?:npm|pnpm|yarn)(?: run)? (?:test|t)\b/.test(testCommand)
  const texts = [wanted ?? '', testCommand ?? '', isScript ? script : '']
  for (const text of texts) {
    const found = RUNNERS.find(([pattern]) => pattern.test(text))
    if (found !== undefined) return found[1](place, text)
  }
  return null
}

function scriptIn(manifest: string | null): string {
  const [, script = ''] = /"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(manifest ?? '') ?? []
  return script
}

/** Of a file that is no test: it is there, and has what it should name. */
export function fileCommandFor(
  file: string,
  { names }: { names: readonly string[] },
  facts: CommandFacts,
): string {
  const place = quoted(file)
  const there =
    names.length === 0
      ? `test -s ${place}`
      : names.map((name) => `grep -qi ${quoted(name)} ${place}`).join(' && ')
  if (/\.tsx?$/.test(file) && facts.hasTsConfig) return `${there} && npx tsc --noEmit`
  if (/\.py$/.test(file)) return `${there} && python3 -m py_compile ${place}`
  if (/\.go$/.test(file)) return `${there} && go vet ./...`
  if (/\.rs$/.test(file)) return `${there} && cargo check`
  return there
}
