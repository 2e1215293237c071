// Files that hold what looks like a key or a password. What was found is never repeated.
import { findSecrets } from '@treadle/gates/secrets'
import { isTest, type Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const committedSecret: Survey = { category: 'security', name: 'committed-secret', look }

const LOCK_FILE = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/
const FILES_MAX = 3_000

async function look(project: Project): Promise<Looked> {
  const findings: FindingFacts[] = []
  const files = (await project.files()).filter((path) => !LOCK_FILE.test(path) && !isTest(path))
  for (const path of files.slice(0, FILES_MAX)) {
    const text = await project.read(path)
    const secrets = text === null ? [] : await findSecrets(path, text)
    for (const [rule, same] of Map.groupBy(secrets, (each) => each.rule))
      findings.push({
        key: `committed-secret:${path}:${rule}`,
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
