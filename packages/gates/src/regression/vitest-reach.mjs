// A coverage provider for vitest that notes what each single test runs: it adds one set-up file to the run, and knows
// nothing of thresholds and reports.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const own = createRequire(import.meta.url)
const recorder = own.resolve('./reach-recorder.cjs')

export function makeReachProvider({ root, into, scratch }) {
  let vitest = null
  return {
    getProvider() {
      return {
        name: 'treadle-reach',
        initialize(given) {
          vitest = given
          const file = join(scratch, 'reach-setup.mjs')
          writeFileSync(file, setupFor({ root, into }))
          const configs = [vitest.config, ...(vitest.projects ?? []).map((project) => project.config)]
          for (const list of new Set(configs.map((config) => config.setupFiles))) list.push(file)
        },
        resolveOptions() {
          return { ...vitest.config.coverage, reporter: [], reportsDirectory: into, thresholds: undefined }
        },
        clean() {
          return undefined
        },
        onAfterSuiteRun() {
          return undefined
        },
        generateCoverage() {
          return {}
        },
        reportCoverage() {
          return undefined
        },
      }
    },
  }
}

function setupFor({ root, into }) {
  const api = createRequire(join(root, 'package.json'))
    .resolve('vitest/package.json')
    .replace(/package\.json$/, 'dist/index.js')
  const lines = [
    `import { createRequire } from 'node:module'`,
    `import { afterAll, afterEach, beforeEach } from ${JSON.stringify(pathToFileURL(api).href)}`,
    `const { startReach } = createRequire(import.meta.url)(${JSON.stringify(recorder)})`,
    `const reach = (globalThis[Symbol.for('treadle.reach')] ??= startReach(${JSON.stringify({ root, into })}))`,
    'const open = new Map()',
    `const nameOf = (task) => (task.suite?.name ? nameOf(task.suite) + ' > ' : '') + task.name`,
    'beforeEach(({ task }) => { open.set(task.id, reach.begin(task.file.filepath, nameOf(task))) })',
    'afterEach(({ task }) => { const test = open.get(task.id); if (test) reach.end(test) })',
    'afterAll(() => reach.write())',
  ]
  return `${lines.join('\n')}\n`
}
