// Files that hold what looks like a key or a password. What was found is never repeated.
import { findSecrets } from '@treadle/gates/secrets'
import { isTest, type Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const committedSecret: Survey = { category: 'security', name: 'committed-secret', look, kin }

const LOCK_FILE = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/
const FILES_MAX = 3_000

async function look(project: Project): Promise<Looked> {
  const findings: FindingFacts[] = []
  const files = (await project.files()).filter((path) => !LOCK_FILE.test(path) && !isTest(path))
  for (const path of files.slice(0, FILES_MAX)) {
    const secrets = await secretsIn(project, path)
    for (const [rule, same] of Map.groupBy(secrets, (each) => each.rule))
      findings.push({
        key: keyOf(path, rule),
        title: `${path} holds what looks like a secret (${rule})`.slice(0, 300),
        files: [path],
        evidence: same
          .map(({ line }) => `${path}:${line}: ${rule}`)
          .join('\n')
          .slice(0, 4_000),
        estimateHours: 1,
        mendable: false,
      })
  }
  return looked(findings)
}

/** Wherever it is: also in tests, in samples, and in more files than are looked at. */
async function kin(project: Project): Promise<readonly string[]> {
  const keys: string[] = []
  for (const path of await project.everything())
    for (const { rule } of await secretsIn(project, path)) keys.push(keyOf(path, rule))
  return keys
}

const keyOf = (path: string, rule: string): string => `committed-secret:${path}:${rule}`

async function secretsIn(project: Project, path: string) {
  const text = await project.read(path)
  // A file does not say of itself that nobody has to look at it.
  return text === null || text === '' ? [] : findSecrets(path, text.replace(/secretlint-disable/gi, '-'))
}
