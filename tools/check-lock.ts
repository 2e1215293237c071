// What makes a package-lock.json work only on the machine that wrote it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Locked = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }
export type Lock = { packages: Record<string, Locked> }

export function findLockProblems({ packages }: Lock): string[] {
  const problems: string[] = []
  for (const [path, locked] of Object.entries(packages)) {
    const wanted = Object.keys(locked.optionalDependencies ?? {})
    const missing = wanted.filter((name) => !isLocked(packages, path, name))
    // A platform binary the registry could not give: `npm ci` fails, or other systems get no native binding.
    if (missing.length > 0) {
      const count = `${missing.length} of ${wanted.length}`
      problems.push(`${path}@${locked.version}: ${count} optional packages missing, e.g. ${missing[0]}`)
    }
    if (/^(https?|git\+\w+|ssh):/.test(locked.resolved ?? ''))
      problems.push(`${path}: names a host: ${locked.resolved}`)
  }
  return problems
}

/** Looks where Node would look: beside the package, then upwards. */
function isLocked(packages: Lock['packages'], path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (!at) return false
  }
}

if (import.meta.main) {
  const file = process.argv[2] ?? fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const problems = findLockProblems(JSON.parse(readFileSync(file, 'utf8')))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
