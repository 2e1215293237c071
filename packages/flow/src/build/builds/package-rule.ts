// Which package may be installed for a task, and in which version: what the registry has, and has had for long enough.
// A model invents names, and strangers register them.
import { PackageToInstall } from '@treadle/contracts/build'

export type PackageJudged =
  | { readonly is: 'allowed'; readonly install: PackageToInstall }
  | { readonly is: 'refused'; readonly why: string }

/** A package as the registry tells of it: each version with the moment of its publication. */
export interface PackageFacts {
  readonly name: string
  readonly registry: string
  readonly createdAt: string | null
  readonly versions: readonly { readonly version: string; readonly at: string }[]
}

const DAY_MS = 86_400_000
const RELEASE = /^\d+\.\d+\.\d+$/

export function judgePackage(facts: PackageFacts, now: Date, ageMs: number): PackageJudged {
  const { name, registry, createdAt, versions } = facts
  const age = (at: string) => now.getTime() - Date.parse(at)
  if (createdAt === null || !(age(createdAt) > ageMs))
    return {
      is: 'refused',
      why: `${registry} has ${name} only since ${createdAt ?? 'nobody knows when'}; builds.packageAgeMs wants more than ${Math.round(ageMs / DAY_MS)} days`,
    }
  const old = versions
    .filter(({ version, at }) => RELEASE.test(version) && age(at) > ageMs)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const newest = old.at(-1)
  if (newest === undefined)
    return { is: 'refused', why: `${registry} has no release of ${name} that is old enough` }
  const before = new Date(now.getTime() - ageMs).toISOString()
  const install = PackageToInstall.safeParse({ name, version: newest.version, registry, before })
  return install.success
    ? { is: 'allowed', install: install.data }
    : {
        is: 'refused',
        why: `its name or the address of its registry is none that an install is told: ${registry}`,
      }
}
