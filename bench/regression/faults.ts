// The faults: the repair benchmark's bugs on the side for tuning, and small slips made by rule in the same programs.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bugs } from '../repair/bugs.ts'
import { programNames } from '../repair/materialise.ts'
import { sideOf } from '../repair/split.ts'

export interface Fault {
  readonly id: string
  readonly edits: readonly { readonly file: string; readonly find: string; readonly replace: string }[]
}

export function makeFaults(): Fault[] {
  const known = bugs
    .filter((bug) => sideOf(bug.id) === 'tuning')
    .map(({ id, program, edits }) => ({
      id,
      edits: edits.map((edit) => ({ ...edit, file: edit.file.replace('src/', `src/${program}/`) })),
    }))
  return [...known, ...slips()]
}

const programsRoot = fileURLToPath(new URL('../repair/programs', import.meta.url))

// The first line of each kind in each program; constants of the module's own level are among them.
const rules: readonly { kind: string; line: RegExp; from: RegExp; to: string }[] = [
  { kind: 'constant', line: /^(?:export )?const .*\b[1-9]\d*\b.*$/m, from: /\b[1-9]\d*\b/, to: '0' },
  { kind: 'thrown', line: /^ +(?:if .*)?throw new \w+\(.*$/m, from: /throw/, to: 'void' },
]

function slips(): Fault[] {
  return programNames().flatMap((program) =>
    readdirSync(join(programsRoot, program, 'src'))
      .sort()
      .flatMap((name) => {
        const text = readFileSync(join(programsRoot, program, 'src', name), 'utf8')
        return rules.flatMap(({ kind, line, from, to }): Fault[] => {
          const [find] = line.exec(text) ?? []
          if (find === undefined || text.split(find).length !== 2) return []
          const edits = [{ file: `src/${program}/${name}`, find, replace: find.replace(from, to) }]
          return [{ id: `${program}-${name.replace('.ts', '')}-${kind}`, edits }]
        })
      }),
  )
}
