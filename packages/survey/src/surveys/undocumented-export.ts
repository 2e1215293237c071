// What a package offers to others without a word on what it is.
import { publicNames } from '@treadle/gates/review/public-names'
import type { CodeFile } from '../code-file.ts'
import { entriesOf, isLibrary, type Manifest } from '../manifest.ts'
import type { Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const undocumentedExport: Survey = {
  category: 'documentation',
  name: 'undocumented-export',
  look,
  kin,
}

async function look(project: Project): Promise<Looked> {
  const libraries = (await project.manifests()).filter(isLibrary)
  if (libraries.length === 0) return { is: 'skipped', why: 'no package.json offers anything to others' }
  const code = await project.code()
  const all = new Set(await project.everything())
  const offered = new Set(libraries.filter((each) => !hasTypesApart(each, all)).flatMap(entriesOf))
  for (const path of offered)
    for (const { to, isWhole } of code.get(path)?.imports ?? [])
      if (isWhole && to.is === 'file') offered.add(to.path)
  return looked(
    [...offered].flatMap((path) => {
      const file = code.get(path)
      const names = file === undefined ? [] : undocumentedIn(file)
      if (names.length === 0) return []
      return [
        {
          key: keyOf(path),
          title:
            `${path} offers ${names.length === 1 ? `${names[0]?.name}` : `${names.length} names`} without a word`.slice(
              0,
              300,
            ),
          files: [path],
          evidence: names
            .map(({ name, line }) => `${path}:${line}: ${name}`)
            .join('\n')
            .slice(0, 4_000),
          estimateHours: Math.min(8, 0.5 * names.length),
          mendable: false,
        },
      ]
    }),
  )
}

/** Its types stand in a file of their own, and so do the words on them. */
function hasTypesApart(manifest: Manifest, all: ReadonlySet<string>): boolean {
  return entriesOf(manifest).some(
    (path) =>
      all.has(path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '.d.ts')) ||
      (/\.d\.[cm]?ts$/.test(path) && all.has(path)),
  )
}

/** The file, for as long as it exports anything without a word, whether or not a manifest still offers it. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const file = (await project.code()).get(key.slice(keyOf('').length))
  return file !== undefined && undocumentedIn(file).length > 0 ? [key] : []
}

const keyOf = (path: string): string => `undocumented-export:${path}`

function undocumentedIn({ path, text }: CodeFile): { readonly name: string; readonly line: number }[] {
  return (publicNames(path, text) ?? []).filter(({ documented }) => !documented)
}
