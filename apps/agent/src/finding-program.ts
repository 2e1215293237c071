// Where the program is that looks at a commit for findings.
import { fileURLToPath } from 'node:url'

export const FINDING_PROGRAM = fileURLToPath(new URL('./finding.ts', import.meta.url))
