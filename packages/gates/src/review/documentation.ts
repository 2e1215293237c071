// The documentation check: how many of the functions, classes and types that are new to others have a comment.
import type { GateResult } from '@treadle/contracts/gate'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { concludeCheck } from '../check-report.ts'
import { conventionsOf, isScript, isTestSupport } from '../integrity/test-conventions.ts'
import type { GateOptions } from '../tests.ts'
import { readHead } from './head.ts'
import { type PublicName, publicNames } from './public-names.ts'

const gate = 'documentation'

export interface SourceChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export interface Documentation {
  readonly added: readonly (PublicName & { readonly file: string })[]
  /** Files that could not be parsed. */
  readonly unread: readonly string[]
}

export async function checkDocumentation(
  options: GateOptions,
  request: ReviewChecksRequest,
): Promise<GateResult> {
  const startedAt = performance.now()
  const paths = request.changed.filter(isPublicSource)
  if (paths.length === 0)
    return { is: 'skipped', gate, why: 'no JavaScript or TypeScript source was changed; others are not read' }
  const changes: SourceChange[] = []
  for (const path of paths)
    changes.push({ path, before: await request.readBase(path), after: await readHead(request.cwd, path) })
  const { added, unread } = findAdded(changes)
  if (added.length === 0 && unread.length === 0)
    return { is: 'skipped', gate, why: 'the change adds no public function, class or type' }
  const wanted = request.config.documentation.share
  const verdict = judgeShare(added, wanted)
  const bare = added.filter(({ documented }) => !documented)
  return concludeCheck(options, {
    gate,
    startedAt,
    lines: [
      `${verdict.documented} of ${added.length} new public functions, classes and types are documented: ${verdict.percent} %`,
      `asked for: ${wanted} %`,
      ...added.map(
        ({ file, line, kind, name, documented }) =>
          `${file}:${line}: ${kind} ${name}: ${documented ? 'documented' : 'no comment'}`,
      ),
    ],
    failures: [],
    warnings: [
      ...unread.map((file) => `${file} could not be parsed, so it was not looked at`),
      ...(verdict.enough ? [] : [tooFew(verdict, added.length, wanted)]),
      ...(verdict.enough
        ? []
        : bare.map(({ file, line, kind, name }) => `${file}:${line}: ${kind} ${name} has no doc comment`)),
    ],
  })
}

function tooFew({ documented, percent }: Share, of: number, wanted: number): string {
  return `${percent} % of what is newly public is documented (${documented} of ${of}), ${wanted} % are asked for`
}

interface Share {
  readonly documented: number
  readonly percent: number
  readonly enough: boolean
}

/** Rounded down, so that it never looks better than it is; equal is enough. */
export function judgeShare(names: readonly Pick<PublicName, 'documented'>[], wanted: number): Share {
  const documented = names.filter((each) => each.documented).length
  const percent = names.length === 0 ? 100 : Math.floor((documented / names.length) * 100)
  return { documented, percent, enough: documented * 100 >= wanted * names.length }
}

/** What has moved from one changed file to another is not new. */
export function findAdded(changes: readonly SourceChange[]): Documentation {
  const unread: string[] = []
  const known = new Set<string>()
  const gone = new Set<string>()
  for (const { path, before, after } of changes) {
    const was = before === null ? [] : (publicNames(path, before) ?? [])
    const is = new Set((after === null ? [] : (publicNames(path, after) ?? [])).map(({ name }) => name))
    for (const { name } of was) {
      known.add(`${path} ${name}`)
      if (!is.has(name) && name !== 'default') gone.add(name)
    }
  }
  const added = changes.flatMap(({ path, after }) => {
    const names = after === null ? [] : publicNames(path, after)
    if (names === null) unread.push(path)
    return (names ?? [])
      .filter(({ name }) => !known.has(`${path} ${name}`) && !gone.has(name))
      .map((each) => ({ ...each, file: path }))
  })
  return { added, unread }
}

function isPublicSource(path: string): boolean {
  return (
    isScript(path) &&
    !isTestSupport(path) &&
    conventionsOf(path).length === 0 &&
    !/(^|\/)(fixtures?|__fixtures__|__mocks__|testdata|node_modules|dist|vendor)\//.test(path)
  )
}
