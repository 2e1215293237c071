// What an install reads beside manifests and lock files: folders of the project that are copied into the packages, and
// files that a package makes something of. Where it does, packages of another tree are not the same.
import { lstatSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { type Manifest, packagesOf, readManifest } from './manifest.ts'

/** Packages whose install scripts read files of the project, or write into it. */
const GENERATORS = new Set(['@prisma/client', 'prisma', 'msw'])
const BYTES_MAX = 1024 * 1024
/** Settings by which a package manager copies what it would link. */
const COPIES = /^\s*(?:install-links|inject-workspace-packages|injectWorkspacePackages)\s*[=:]\s*true/m
const LOCAL_IN_YAML = /[:\s]['"]?(?:file|link|portal|exec):/

/** Whether `command` puts into the packages of a tree what nothing but other files of the tree decides. */
export function readsProject(tree: string, manifests: readonly string[], command: string): boolean {
  const [manager = ''] = command.split(' ')
  const hasScripts = !command.includes('--ignore-scripts')
  const text = (file: string) => boundedText(join(tree, file), BYTES_MAX) ?? ''
  const workspace = text('pnpm-workspace.yaml')
  const copies = COPIES.test(text('.npmrc')) || COPIES.test(workspace)
  if (manager === 'pnpm' && (copies || LOCAL_IN_YAML.test(workspace))) return true
  const isLink = (folder: string, spec: string) =>
    isLinked(spec, manager, copies) && isFolderIn(tree, resolve(tree, folder, pathIn(spec)))
  return manifests.some((file) => {
    const folder = dirname(file)
    const manifest = readManifest(join(tree, folder))
    if (manifest === null) return false
    if (hasScripts && packagesOf(manifest).some((name) => GENERATORS.has(name))) return true
    return isInjected(manifest) || specsIn(manifest).some((spec) => isLocal(spec) && !isLink(folder, spec))
  })
}

function isInjected({ dependenciesMeta }: Manifest): boolean {
  return JSON.stringify(dependenciesMeta ?? {}).includes('"injected":true')
}

/** Where packages come from, by a manifest. */
function specsIn(manifest: Manifest): string[] {
  const { dependencies, devDependencies, optionalDependencies, overrides, resolutions, pnpm } = manifest
  return stringsIn([dependencies, devDependencies, optionalDependencies, overrides, resolutions, pnpm])
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function isLocal(spec: string): boolean {
  return (
    /^(?:file|link|portal|exec):|^(?:\.\.?|~)?\/|^\.\.?$/.test(spec) ||
    /^[^:]+\.(?:tgz|tar\.gz|tar)$/.test(spec)
  )
}

/** Whether it becomes a link to a folder: npm links every folder, others what they are told to link. */
function isLinked(spec: string, manager: string, copies: boolean): boolean {
  if (/^(?:link|portal):/.test(spec)) return manager !== 'npm'
  return manager === 'npm' && !copies && !spec.startsWith('exec:')
}

function pathIn(spec: string): string {
  return spec.replace(/^(?:file|link|portal):/, '')
}

function isFolderIn(tree: string, path: string): boolean {
  const inside = relative(tree, path)
  if (inside.startsWith('..') || isAbsolute(inside)) return false
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
