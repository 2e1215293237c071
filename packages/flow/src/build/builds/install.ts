// What is installed before a task is tried again, and by which command: only what the registry of the lock file was asked
// about. Pure.
import type { PackageToInstall, TaskFailure } from '@treadle/contracts/build'
import { failuresSince } from './failure.ts'

/** The packages that were allowed for a task in its present series of attempts, each once. */
export function installsFor(failures: readonly TaskFailure[], task: string): PackageToInstall[] {
  const allowed = failuresSince(failures, task).flatMap(({ install }) => install ?? [])
  return [...new Map(allowed.map((each) => [each.name, each])).values()]
}

/** Whether a manifest asks for a package already, which is left as it is. */
export function asksFor(manifest: string | null, name: string): boolean {
  const lists = manifest === null ? {} : Object(parsed(manifest))
  return ['dependencies', 'devDependencies', 'optionalDependencies'].some((list) =>
    Object.hasOwn(Object(lists[list]), name),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Options of the command line come before the settings of the repository: no other registry is asked, for a scope neither,
 * nothing younger is taken, also of what the package itself needs, and no script runs.
 */
export function installCommand({ name, version, registry, before }: PackageToInstall, list: 'prod' | 'dev') {
  const [scope] = name.startsWith('@') ? name.split('/') : []
  return [
    'npm install',
    `--save-${list} --save-exact --package-lock --ignore-scripts --no-audit --no-fund`,
    `--registry='${registry}'`,
    ...(scope === undefined ? [] : [`'--${scope}:registry=${registry}'`]),
    `--before=${before}`,
    `'${name}@${version}'`,
  ].join(' ')
}

/** What whoever tries again is told about it. */
export function installWords({ name, version }: PackageToInstall): string {
  return `${name} ${version} is installed for you before this attempt, with its lines in package.json and package-lock.json. Leave both as they are, and install nothing else.`
}
