// What the tests load with the change against what they load without it. Pure.
import type { Load, LoadRecord } from './read-loads.ts'

/** A name that comes to something else than before. */
export interface Difference {
  /** Who asks for it; null: the runner, or, of a module of Python, anybody. */
  readonly by: string | null
  /** As it is asked for; null where only the files are known. */
  readonly name: string | null
  /** What it came to before and does not any more; null: nothing. */
  readonly gone: readonly (string | null)[]
  readonly fresh: readonly (string | null)[]
}

export function differences(base: LoadRecord, head: LoadRecord): Difference[] {
  const [was, is] = [named(base), named(head)]
  const [before, after] = [anywhere(base), anywhere(head)]
  const moved = [...was].flatMap(([key, from]): Difference[] => {
    const to = is.get(key)
    const [first] = from
    if (to === undefined || first === undefined) return []
    const isAll = [...from, ...to].every(({ all }) => all)
    // Where only the first to ask is known, another may have been faster.
    const gone = only(from, to).filter((each) => isAll || !after.has(each))
    const fresh = only(to, from).filter((each) => isAll || !before.has(each))
    return gone.length + fresh.length === 0 ? [] : [{ by: first.by, name: first.name, gone, fresh }]
  })
  const [roots, rootsNow] = [rootsOf(base), rootsOf(head)]
  const byRunner = (gone: string[], fresh: string[]) => ({ by: null, name: null, gone, fresh })
  return [
    ...moved,
    ...[...rootsNow].filter((each) => !before.has(each)).map((each) => byRunner([], [each])),
    ...[...roots].filter((each) => !after.has(each)).map((each) => byRunner([each], [])),
    ...early(was, is),
  ]
}

/** Modules that Python loads by itself, if there are any. */
function early(was: ReadonlyMap<string, Load[]>, is: ReadonlyMap<string, Load[]>): Difference[] {
  return [...is].flatMap(([key, loads]) => {
    const [first] = loads
    const isEarly = first?.by === null && /^(?:site|user)customize$/.test(first.name ?? '')
    if (first === undefined || !isEarly || was.has(key)) return []
    return [{ by: null, name: null, gone: [], fresh: loads.map(({ to }) => to) }]
  })
}

function named({ loads }: LoadRecord): Map<string, Load[]> {
  const known = loads.filter(({ by, name }) => by !== null || name !== null)
  return Map.groupBy(known, ({ by, name }) => JSON.stringify([by, name]))
}

function only(these: readonly Load[], those: readonly Load[]): (string | null)[] {
  const others = new Set(those.map(({ to }) => to))
  return [...new Set(these.map(({ to }) => to))].filter((to) => !others.has(to))
}

function anywhere({ loads }: LoadRecord): Set<string | null> {
  return new Set(loads.map(({ to }) => to))
}

/** Files that nobody in the tree has asked for. */
function rootsOf({ loads }: LoadRecord): Set<string> {
  const asked = new Set(loads.flatMap(({ by, to }) => (by === null ? [] : [to])))
  const bare = loads.filter(({ by, name, to }) => by === null && name === null && !asked.has(to))
  return new Set(bare.flatMap(({ to }) => to ?? []))
}

/** Files that a runner has started otherwise than before: with another program, options or paths. */
export interface OtherAsking {
  readonly files: readonly string[]
  readonly before: string
  readonly after: string
}

export function otherAsking(base: LoadRecord, head: LoadRecord): OtherAsking[] {
  const [was, is] = [askedFor(base), askedFor(head)]
  const others = [...was].flatMap(([file, before]) => {
    const after = is.get(file)
    return after === undefined || after === before ? [] : [{ file, before, after }]
  })
  return [...Map.groupBy(others, ({ before, after }) => JSON.stringify([before, after])).values()].flatMap(
    (same) => {
      const [first] = same
      if (first === undefined) return []
      return [{ files: same.map(({ file }) => file), before: first.before, after: first.after }]
    },
  )
}

function askedFor({ asked }: LoadRecord): Map<string, string> {
  const byFile = Map.groupBy(asked, ([file]) => file)
  const words = [...byFile].map(
    ([file, each]) =>
      [
        file,
        each
          .map(([, how]) => how)
          .sort()
          .join('; '),
      ] as const,
  )
  return new Map(words)
}

/** Packages of both runs whose versions are others, as `name 1.0.0 -> 2.0.0`. */
export function otherVersions(base: LoadRecord, head: LoadRecord): string[] {
  const versions = ({ packages }: LoadRecord): Map<string, string> => {
    const grouped = Map.groupBy(packages, ([name]) => name)
    return new Map(
      [...grouped].map(([name, each]) => [
        name,
        each
          .map(([, version]) => version)
          .sort()
          .join(', '),
      ]),
    )
  }
  const [was, is] = [versions(base), versions(head)]
  return [...was].flatMap(([name, before]) => {
    const after = is.get(name)
    return after === undefined || after === before ? [] : [`${name} ${before} -> ${after}`]
  })
}
