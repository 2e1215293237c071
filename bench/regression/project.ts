// All programs of the repair benchmark as one vitest project, with a test file for each test. In the layout
// `direct` a test imports the module it is about; in `entry` every test goes through one module that imports all,
// as the tests of many libraries do.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeModules, programNames, writeFiles } from '../repair/materialise.ts'

export type Layout = 'direct' | 'entry'
export const layouts: readonly Layout[] = ['direct', 'entry']

const programsRoot = fileURLToPath(new URL('../repair/programs', import.meta.url))

export function makeProject(folder: string, layout: Layout): void {
  const files = new Map<string, string>()
  for (const program of programNames()) {
    for (const name of readdirSync(join(programsRoot, program, 'src'))) {
      files.set(`src/${program}/${name}`, readProgram(program, 'src', name))
    }
    for (const name of readdirSync(join(programsRoot, program, 'test'))) {
      const pieces = splitSuite(readProgram(program, 'test', name))
      for (const [index, text] of pieces.entries()) {
        files.set(`test/${program}-${index + 1}.test.ts`, rewriteImports(text, program, layout))
      }
    }
  }
  const scripts = { test: 'vitest run' }
  const manifest = {
    name: 'programs',
    private: true,
    type: 'module',
    scripts,
    devDependencies: { vitest: '*' },
  }
  files.set('package.json', JSON.stringify(manifest, null, 2))
  files.set(
    'vitest.config.ts',
    `export default { test: { pool: 'threads', maxWorkers: 2, testTimeout: 5000 } }\n`,
  )
  files.set('.gitignore', 'node_modules\n')
  if (layout === 'entry') files.set('src/index.ts', entryModule([...files.keys()]))
  writeFiles(folder, files)
  symlinkSync(nodeModules, join(folder, 'node_modules'), 'dir')
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '.')
  const who = [
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.invalid',
    '-c',
    'commit.gpgsign=false',
  ]
  git(folder, ...who, 'commit', '--quiet', '--no-verify', '-m', 'project')
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore', timeout: 30_000 })
}

function readProgram(...path: string[]): string {
  return readFileSync(join(programsRoot, ...path), 'utf8')
}

// The suites are formatted, so that a statement of the file's own level begins in the first column, and a test or
// group ends with `})` there.
function splitSuite(text: string): string[] {
  const groups = /^(?:test|it|describe)(?:\.\w+)?\([\s\S]*?^\}\)\n/gm
  const common = text.replace(groups, '')
  return [...text.matchAll(groups)].map(([group]) => `${common}\n${group}`)
}

function rewriteImports(text: string, program: string, layout: Layout): string {
  const own = /^import (type )?\{([^}]*)\} from '\.\.\/src\/([\w-]+)\.ts'$/gm
  const vitest = text.replace(`from 'node:test'`, `from 'vitest'`)
  if (layout === 'direct') return vitest.replaceAll(`'../src/`, `'../src/${program}/`)
  const rewritten = vitest.replace(own, (_, type, names: string, module: string) => {
    const values = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !/^type /.test(name))
    return type ? '' : `const { ${values.join(', ').replaceAll(' as ', ': ')} } = all['${program}/${module}']`
  })
  return `import { all } from '../src/index.ts'\n${rewritten}`
}

function entryModule(paths: readonly string[]): string {
  const modules = paths.filter((path) => path.startsWith('src/')).map((path) => path.slice(4, -3))
  const imports = modules.map((path, index) => `import * as m${index} from './${path}.ts'`)
  const lines = modules.map((path, index) => `  '${path}': m${index},`)
  return `${imports.join('\n')}\n\nexport const all = {\n${lines.join('\n')}\n}\n`
}
