// Which files concern all tests at once, and which look like tests, going by their names.
import { readdirSync } from 'node:fs'

const lockfiles =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?)$/
const settings =
  /^(package\.json|[jt]sconfig[\w.-]*\.json|[\w.-]+\.(config|workspace)\.[cm]?[jt]s|[\w.-]+\.config\.json|jest\.[\w.-]+|\.mocharc(\.\w+)?|\.babelrc(\.\w+)?|\.swcrc|\.npmrc|\.nvmrc|\.node-version|\.tool-versions|\.env(\.\w+)*|\.c8rc\.json|\.nycrc(\.\w+)?|Makefile|Dockerfile)$/
const setup = /(^|[._-])(setup|global-?setup|setup-?tests?|test-?setup|bootstrap)([._-]|$)/i

/** Why a change of this file concerns every test; null if it does not by its name. */
export function worldFile(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (lockfiles.test(name)) return `${path} says which packages are installed`
  if (settings.test(name)) return `${path} is a settings file`
  if (path.includes('__mocks__/')) return `${path} stands in for another module`
  return null
}

/** Named like a set-up file; where no run has shown who loads it, everyone may. */
export function isSetupName(path: string): boolean {
  return setup.test(path.slice(path.lastIndexOf('/') + 1))
}

const named = /(^|\/)(test|spec|test-[^/]+|[^/]+[._-](test|spec))\.[cm]?[jt]sx?$/
const inTestFolder = /(^|\/)(__tests__|tests?|spec)\/.+\.[cm]?[jt]sx?$/
const frameworks =
  /(from|require\()\s*['"](vitest|node:test|@jest\/globals|mocha|ava|tape|uvu)['"]|\b(describe|it|test)\s*\(/

export function mayBeTest(path: string): boolean {
  return named.test(path) || inTestFolder.test(path)
}

/** By its name, or by what it says. */
export function isTestFile(path: string, text: string): boolean {
  return named.test(path) || frameworks.test(text)
}

/** The settings files in the project's own folder. */
export function worldFiles(cwd: string): string[] {
  return readdirSync(cwd).filter((name) => worldFile(name) !== null)
}
