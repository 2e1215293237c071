// Settings in other notations, line by line: the parts of a file that decide about tests.
import { posix } from 'node:path'
import { type Finding, shown } from './finding.ts'

/** Keys of pytest that say nothing about which tests run and how. */
const quiet = /^(markers|minversion|log_\w+|console_output_style|junit_family)\s*=/

interface Kind {
  readonly files: RegExp
  /** Sections that count; null: the whole file. */
  readonly sections: RegExp | null
  /** Lines that count; null: all of them. */
  readonly lines: RegExp | null
  /** Keys that do not count, with all lines of their values. */
  readonly quiet?: RegExp
}

const kinds: readonly Kind[] = [
  {
    files:
      /^(\.coveragerc|\.rspec|\.taprc|phpunit\.xml(\.dist)?|codecov\.ya?ml|\.eslintignore|\.mocharc\.ya?ml|\.nycrc\.ya?ml|\.eslintrc\.ya?ml|nextest\.toml)$/,
    sections: null,
    lines: null,
  },
  { files: /^pytest\.ini$/, sections: null, lines: null, quiet },
  { files: /^pyproject\.toml$/, sections: /^\[tool\.(pytest|coverage|ruff|tox)/, lines: null, quiet },
  {
    files: /^(setup\.cfg|tox\.ini)$/,
    sections: /^\[(tool:)?(pytest|coverage|testenv|flake8)/,
    lines: null,
    quiet,
  },
  { files: /^Cargo\.toml$/, sections: /^\[\[test\]\]|^\[lib\]/, lines: /test|harness|path|name/ },
  { files: /^(GNUm|m|M)akefile$/, sections: /^(test|check|lint|coverage)[\w-]*\s*:(?!=)/, lines: null },
  {
    files: /^(\.npmrc|\.yarnrc(\.yml)?|\.env[\w.]*)$/,
    sections: null,
    lines: /script-shell|node[-_]options|ignore-scripts|scriptShell/i,
  },
  {
    files: /^(pom\.xml|build\.gradle(\.kts)?|gradle\.properties)$/,
    sections: null,
    lines:
      /skipTests|maven\.test\.(skip|failure)|testFailureIgnore|ignoreFailures|<exclude>|excludeTestsMatching|enabled\s*=\s*false/,
  },
]

export function isPlainSettingsFile(path: string): boolean {
  return kindOf(path) !== null
}

function kindOf(path: string): Kind | null {
  const name = posix.basename(path)
  return kinds.find(({ files }) => files.test(name)) ?? null
}

interface Line {
  readonly text: string
  readonly at: number
}

export function comparePlainSettings(path: string, before: string | null, after: string | null): Finding[] {
  const kind = kindOf(path)
  if (kind === null || before === after) return []
  const was = read(kind, before)
  const is = read(kind, after)
  const added = without(is, was)
  const removed = without(was, is).filter(({ text }) => !raised(text, added))
  const fresh = added.filter(({ text }) => !removedRaise(text, was))
  const [first] = fresh.length > 0 ? fresh : removed
  if (first === undefined) return []
  const how = fresh.length > 0 ? 'was changed or added' : 'was removed'
  return [
    {
      file: path,
      line: fresh.length > 0 ? first.at : null,
      what: `it decides about the tests, and \`${shown(first.text)}\` ${how}`,
      // A file of its own that was not there before sets tests up.
      blocks: before !== null || kind.lines !== null,
    },
  ]
}

const minimum = /^(fail_under\s*=\s*|--cov-fail-under=)(\d+(?:\.\d+)?)$/

/** A higher minimum asks for more. */
function raised(text: string, added: readonly Line[]): boolean {
  const was = minimum.exec(text)
  return was !== null && added.some((line) => Number(minimum.exec(line.text)?.[2]) >= Number(was[2]))
}

function removedRaise(text: string, was: readonly Line[]): boolean {
  const is = minimum.exec(text)
  if (is === null) return false
  const old = was.map((line) => minimum.exec(line.text)).find((match) => match !== null)
  return old === undefined || Number(is[2]) >= Number(old?.[2])
}

function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const left = others.map(({ text }) => text)
  return lines.filter(({ text }) => {
    const index = left.indexOf(text)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

function read({ sections, lines, quiet: keys }: Kind, text: string | null): Line[] {
  if (text === null) return []
  let inside = sections === null
  let isQuiet = false
  const found: Line[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    // A section begins at the margin, with a bracket or as the target of a makefile.
    if (sections !== null && /^(\[|[\w.-]+\s*:)/.test(line)) inside = sections.test(line)
    const plain = line.trim()
    // Further lines of a value belong to its key.
    if (/^("?[\w.-]+"?\s*=|\[)/.test(plain)) isQuiet = keys?.test(plain) === true
    if (isQuiet || !inside || plain === '' || /^(#|;|\/\/|<!--)/.test(plain)) continue
    if (lines === null || lines.test(plain)) found.push({ text: plain, at: index + 1 })
  }
  return found
}
