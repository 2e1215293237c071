// A coverage provider for vitest, which asks it in the worker around each test file and hands the answer to the
// main process, where it is written down. It knows nothing of thresholds and reports.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'

const { startRecording } = createRequire(import.meta.url)('./recorder.cjs')
const kept = Symbol.for('treadle.recording')

export function makeProvider({ root, into }) {
  const within = (path) => relative(root, path).split(sep).join('/')
  const write = (name, value) => writeFileSync(join(into, `${name}.json`), JSON.stringify(value))
  let vitest = null
  let count = 0
  return {
    startCoverage() {
      // Vitest forgets its modules between test files, this one among them.
      globalThis[kept] ??= startRecording({ root })
    },
    takeCoverage() {
      return globalThis[kept]?.take()
    },
    stopCoverage() {
      return undefined
    },
    getProvider() {
      return {
        name: 'treadle-regression',
        initialize(given) {
          vitest = given
          write('runner', runnerFacts(vitest, within))
        },
        resolveOptions() {
          return { ...vitest.config.coverage, reporter: [], reportsDirectory: into, thresholds: undefined }
        },
        clean() {
          return undefined
        },
        onAfterSuiteRun({ coverage, testFiles, projectName }) {
          if (!coverage) return
          const project = vitest.projects?.find((each) => each.name === projectName)
          const folder = (project ?? vitest).config.root
          for (const test of testFiles) {
            count += 1
            write(`test-${count}`, { test: within(resolve(folder, test)), ...coverage })
          }
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

function runnerFacts(vitest, within) {
  const projects = vitest.projects ?? []
  const configs = [vitest.config, ...projects.map((project) => project.config)]
  const servers = [vitest.vite ?? vitest.server, ...projects.map((project) => project.vite ?? project.server)]
  const list = (value) => (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
  const setup = [
    ...configs.flatMap((config) => list(config?.globalSetup)),
    ...servers.flatMap((server) => list(server?.config?.configFileDependencies)),
    ...servers.flatMap((server) => list(server?.config?.configFile)),
  ]
  return {
    isolated: configs.every((config) => config?.isolate !== false && !String(config?.pool).startsWith('vm')),
    setup: [...new Set(setup.map(within))],
  }
}
