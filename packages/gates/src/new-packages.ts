// The gate of new packages: what a task of a build newly asks for is known to the registry, and has been for long enough.
// A model invents names, and strangers register them.
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { concludeCheck } from './check-report.ts'
import { readText } from './project-files.ts'
import type { GateOptions } from './tests.ts'

const MANIFEST = /(?:^|\/)package\.json$/
const LOCK = 'package-lock.json'
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
/** What is part of the project comes from no registry. */
const OWN = /^(?:workspace|file|link|portal):/
/** So many names are asked about; whatever comes after them is refused. */
const NAMES_MAX = 50

interface NewPackage {
  readonly file: string
  readonly name: string
}

/** Null: the change is of no task, or asks for no package that the lock file did not have. */
export async function checkNewPackages(
  options: GateOptions,
  request: DeliveryGateRequest,
): Promise<GateResult | null> {
  const startedAt = performance.now()
  const { judgePackage } = request
  const asked = judgePackage === undefined ? [] : await newIn(request)
  if (judgePackage === undefined || asked.length === 0) return null
  const refused: (NewPackage & { readonly why: string })[] = []
  for (const [nth, each] of asked.entries()) {
    const why = nth < NAMES_MAX ? await judgePackage(each.name) : `more than ${NAMES_MAX} packages are new`
    if (why !== null) refused.push({ ...each, why })
  }
  return concludeCheck(options, {
    gate: 'new_packages',
    startedAt,
    lines: asked.map(({ file, name }) => `looked at ${name}, which is new in ${file}`),
    failures: refused.map(({ file, name, why }) => ({
      names: ['new packages'],
      file,
      message: `${name} is new here, and may not be: ${why}. Take it out, and do without it or with another`,
    })),
    warnings: [],
  })
}

async function newIn({ changed, cwd, readBase }: DeliveryGateRequest): Promise<NewPackage[]> {
  const known = (await readBase(LOCK)) ?? ''
  const asked: NewPackage[] = []
  for (const file of changed.filter((path) => MANIFEST.test(path))) {
    const before = namesIn(await readBase(file))
    const isNew = (name: string) => !before.has(name) && !known.includes(`"node_modules/${name}"`)
    for (const name of namesIn(readText(join(cwd, file)))) if (isNew(name)) asked.push({ file, name })
  }
  return asked
}

/** The packages that a manifest asks for from a registry, by the name that it is installed from. */
function namesIn(manifest: string | null): Set<string> {
  const lists = manifest === null ? {} : Object(parsed(manifest))
  const names = LISTS.flatMap((list) =>
    Object.entries(Object(lists[list]) as Record<string, unknown>).flatMap(([name, range]) =>
      typeof range !== 'string' || OWN.test(range) ? [] : [aliasIn(range) ?? name],
    ),
  )
  return new Set(names)
}

/** "npm:left-pad@1" installs left-pad by another name. */
function aliasIn(range: string): string | null {
  return /^npm:(@?[^@\s]+)/.exec(range)?.[1] ?? null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
