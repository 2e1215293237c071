// The command that judges a change, and the scripts that it runs: whoever is judged must not rewrite them unseen.
import { posix } from 'node:path'
import { type Started, startedBy } from './command-words.ts'
import { type Finding, shown } from './finding.ts'
import { conventionsOf } from './test-conventions.ts'

export interface JudgedChange {
  readonly commands: readonly string[]
  readonly changed: readonly string[]
  readBase(path: string): Promise<string | null>
  readHead(path: string): Promise<string | null>
}

/** More than anybody writes. */
const LOOKS_MAX = 200
const makefiles = ['GNUmakefile', 'makefile', 'Makefile']

export async function changedJudges(change: JudgedChange): Promise<Finding[]> {
  if (change.changed.length === 0) return []
  const search = new Search(change)
  for (const command of new Set(change.commands)) await search.look(startedBy(command), command)
  return search.findings
}

class Search {
  readonly findings: Finding[] = []
  readonly #change: JudgedChange
  readonly #changed: ReadonlySet<string>
  readonly #seen = new Set<string>()

  constructor(change: JudgedChange) {
    this.#change = change
    this.#changed = new Set(change.changed)
  }

  async look(started: readonly Started[], command: string): Promise<void> {
    for (const each of started) {
      const key = JSON.stringify(each)
      if (this.#seen.has(key) || this.#seen.size >= LOOKS_MAX) continue
      this.#seen.add(key)
      if (each.is === 'script') await this.#script(each, command)
      else if (each.is === 'manifest') await this.#manifest(each, command)
      else await this.#target(each, command)
    }
  }

  async #script({ path, isShell }: Extract<Started, { is: 'script' }>, command: string): Promise<void> {
    const before = await this.#before(path)
    if (this.#changed.has(path)) this.#tell(path, { before, command })
    if (!isShell || before === null) return
    // What a script hands to other interpreters may be the very thing that is worked on.
    const inner = startedBy(before, '.').filter((each) => each.is !== 'script' || each.isShell)
    await this.look(inner, command)
  }

  /** A file that the change left alone is what it was. */
  #before(path: string): Promise<string | null> {
    return this.#changed.has(path) ? this.#change.readBase(path) : this.#change.readHead(path)
  }

  #tell(path: string, { before, command }: { before: string | null; command: string }): void {
    // Tests that a reader of tests understands are compared one by one, and may become more.
    if (before !== null && conventionsOf(path).length > 0 && hasTests(before)) return
    const what =
      before === null
        ? `it is new, and \`${shown(command)}\`, which judges the change, runs it`
        : `\`${shown(command)}\`, which judges the change, runs it, and the change rewrote it`
    this.findings.push({ file: path, line: null, what, blocks: before !== null })
  }

  async #manifest({ folder, script }: Extract<Started, { is: 'manifest' }>, command: string): Promise<void> {
    const file = posix.join(folder, 'package.json')
    const before = scriptsIn(await this.#before(file))
    const after = this.#changed.has(file) ? scriptsIn(await this.#change.readHead(file)) : before
    for (const name of [`pre${script}`, script, `post${script}`]) {
      const [was, is] = [before[name], after[name]]
      this.#compare({ file, name, command, was, is, isBeside: name !== script })
      await this.look(startedBy(before[name] ?? '', folder), command)
    }
  }

  async #target({ folder, target }: Extract<Started, { is: 'target' }>, command: string): Promise<void> {
    for (const file of makefiles.map((name) => posix.join(folder, name))) {
      const text = await this.#before(file)
      if (text === null) continue
      const was = recipeIn(text, target)
      const is = this.#changed.has(file) ? recipeIn((await this.#change.readHead(file)) ?? '', target) : was
      this.#compare({ file, name: target ?? 'its first target', command, was, is, isBeside: false })
      const [rule = '', ...recipe] = (was ?? '').split('\n')
      const needed = rule
        .replace(/^[^:]*:+/, '')
        .replace(/[;#].*/, '')
        .split(/\s+/)
      const targets = needed
        .filter((name) => name !== '')
        .map((name) => ({ is: 'target' as const, folder, target: name }))
      const lines = recipe.map((line) => line.replace(/^\t[@+-]*/, '').replaceAll('$(MAKE)', 'make'))
      return this.look([...targets, ...startedBy(lines.join('\n'), folder)], command)
    }
  }

  #compare(given: {
    readonly file: string
    readonly name: string
    readonly command: string
    readonly was: string | undefined
    readonly is: string | undefined
    /** It runs before or after what is asked for. */
    readonly isBeside: boolean
  }): void {
    const { file, name, command, was, is, isBeside } = given
    if (was === is) return
    const what = `\`${shown(command)}\` judges the change, and the change rewrote ${name}: \`${shown(is ?? '')}\``
    // What was not there before could not judge; what is put beside it can spoil it.
    this.findings.push({ file, line: null, what, blocks: was !== undefined || isBeside })
  }
}

function hasTests(text: string): boolean {
  return /\b(test|it|describe|suite)(\.\w+)*\s*\(|^\s*(async\s+)?def test|unittest|minitest|rspec/im.test(
    text,
  )
}

function scriptsIn(text: string | null): Record<string, string | undefined> {
  try {
    const { scripts = {} } = JSON.parse(text ?? '{}') as { scripts?: Record<string, string> }
    return scripts
  } catch {
    // One that cannot be read has no scripts, which differs from what it was.
    return {}
  }
}

/** The rule of a target with its lines; the first one where none is named. */
function recipeIn(text: string, target: string | null): string | undefined {
  const lines = text.split(/\r?\n/)
  const begins = (line: string): boolean => {
    const [, names] = /^([^\s#.=:][^=:]*):(?!=)/.exec(line) ?? []
    return names !== undefined && (target === null || names.trim().split(/\s+/).includes(target))
  }
  const first = lines.findIndex(begins)
  if (first < 0) return undefined
  const length = lines.slice(first + 1).findIndex((line) => line.trim() !== '' && !line.startsWith('\t'))
  return lines
    .slice(first, length < 0 ? undefined : first + 1 + length)
    .join('\n')
    .trimEnd()
}
