// Where the classes of a Java, Kotlin, Groovy or Scala project are written: its stacks name no folders.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const modulesMax = 60
const languages = ['java', 'kotlin', 'groovy', 'scala']
const endings = ['java', 'kt', 'groovy', 'scala']

export interface JavaSources {
  /** The file of that name in which the class is written, relative to the project; null if it is not there. */
  fileOf(className: string, name: string): string | null
}

/** Looks at the folders when it is first asked. */
export function openJavaSources(cwd: string): JavaSources {
  let roots: readonly string[] | null = null
  const seen = new Map<string, string | null>()
  return {
    fileOf: (className, name) => {
      roots ??= sourceRoots(cwd)
      const key = `${packageOf(className)}/${name}`
      const known = seen.get(key)
      if (known !== undefined) return known
      const found = findFile(cwd, roots, { packagePath: packageOf(className), name })
      seen.set(key, found)
      return found
    },
  }
}

/** The file of a class by the name that files of classes have. */
export function fileOfClass(className: string, cwd: string): string | null {
  if (!/^[\w$.]+$/.test(className) || className.length > 500) return null
  const name = className.split('.').at(-1)?.split('$')[0] ?? ''
  const sources = openJavaSources(cwd)
  for (const ending of endings) {
    const file = sources.fileOf(className, `${name}.${ending}`)
    if (file !== null) return file
  }
  return null
}

function packageOf(className: string): string {
  return className.split('.').slice(0, -1).join('/')
}

function findFile(
  cwd: string,
  roots: readonly string[],
  { packagePath, name }: { packagePath: string; name: string },
): string | null {
  // Kotlin projects may leave out the folders that all their packages share.
  const parts = packagePath === '' ? [] : packagePath.split('/')
  const paths = name.endsWith('.java') ? [parts] : parts.map((_, at) => parts.slice(at)).concat([[]])
  for (const path of paths) {
    for (const root of roots) {
      const file = [root, ...path, name].join('/')
      if (existsSync(join(cwd, file))) return file
    }
  }
  return null
}

/** `src/test/java` and the like, of the project and of modules one or two folders down; tests first. */
function sourceRoots(cwd: string): string[] {
  const modules = ['', ...foldersIn(cwd, '').flatMap((one) => [one, ...foldersIn(cwd, one)])]
  const withSources = modules.filter((module) => existsSync(join(cwd, module, 'src'))).slice(0, modulesMax)
  const roots = withSources.flatMap((module) => {
    const src = module === '' ? 'src' : `${module}/src`
    return foldersIn(cwd, src).flatMap((set) => languages.map((language) => `${set}/${language}`))
  })
  return roots
    .filter((root) => existsSync(join(cwd, root)))
    .sort((a, b) => Number(/\/main\//.test(a)) - Number(/\/main\//.test(b)))
}

const skipped = new Set(['node_modules', 'target', 'build', 'out', 'dist', 'src'])
const foldersMax = 200

function foldersIn(cwd: string, folder: string): string[] {
  try {
    return readdirSync(join(cwd, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name))
      .slice(0, foldersMax)
      .map(({ name }) => (folder === '' ? name : `${folder}/${name}`))
  } catch {
    return []
  }
}
