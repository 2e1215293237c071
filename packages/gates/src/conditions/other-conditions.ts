// A run of tests on another day, as somebody else on another machine.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { TestGateRequest } from '@treadle/flow/ports/gates'
import { removeForeign } from '@treadle/sandbox/foreign-files'
import { readManifest } from '../project-files.ts'
import { putBefore } from '../put-before.ts'
import { type GateOptions, runTests } from '../tests.ts'

const aheadMs = 40 * 24 * 60 * 60_000
const movers = {
  node: new URL('./later.cjs', import.meta.url),
  python: new URL('./later.py', import.meta.url),
}

export interface OtherRun {
  readonly result: GateResult
  /** Whether a process of the run has seen a clock that was moved. */
  readonly isClockMoved: boolean
}

/** Runs tests with the clock ahead, another home, user, host and time zone, and without the marks of a build server. */
export async function runElsewhere(options: GateOptions, request: TestGateRequest): Promise<OtherRun> {
  // Under a name that says nothing about who looks.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-')))
  try {
    const home = join(folder, 'home')
    mkdirSync(home)
    writeFileSync(join(folder, 'seconds'), String(aheadMs / 1_000))
    const env = putBefore(otherEnv(options.env, home), folder, movers)
    const result = await runTests(
      { ...options, env },
      { ...request, writable: [folder], isCi: needsCi(request) },
    )
    return { result, isClockMoved: existsSync(join(folder, 'moved')) }
  } finally {
    removeForeign(folder)
  }
}

const ciNames =
  /^(?:CI|CI_.*|CONTINUOUS_INTEGRATION|BUILD_NUMBER|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|JENKINS_URL|TF_BUILD|TEAMCITY_VERSION|BUILDKITE)$/
const zones = ['America/New_York', 'Asia/Kolkata'] as const

function otherEnv(env: Readonly<Record<string, string>>, home: string): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !ciNames.test(name)))
  return {
    ...toolFolders(env),
    ...kept,
    HOME: home,
    USER: 'robin',
    LOGNAME: 'robin',
    HOSTNAME: 'willow',
    HOST: 'willow',
    COMPUTERNAME: 'willow',
    TZ: env.TZ === zones[0] ? zones[1] : zones[0],
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

/** Folders below the home that tools need and that a variable can name. */
const belowHome = {
  RUSTUP_HOME: '.rustup',
  CARGO_HOME: '.cargo',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NVM_DIR: '.nvm',
  VOLTA_HOME: '.volta',
  ASDF_DATA_DIR: '.asdf',
  SDKMAN_DIR: '.sdkman',
  PYTHONUSERBASE: '.local',
  GOPATH: 'go',
  GOCACHE: '.cache/go-build',
  COREPACK_HOME: '.cache/node/corepack',
  PLAYWRIGHT_BROWSERS_PATH: '.cache/ms-playwright',
  GRADLE_USER_HOME: '.gradle',
} as const

function toolFolders({ HOME }: Readonly<Record<string, string>>): Record<string, string> {
  if (HOME === undefined) return {}
  const all = Object.entries(belowHome).map(([name, folder]) => [name, join(HOME, folder)] as const)
  return Object.fromEntries(all.filter(([, folder]) => existsSync(folder)))
}

/** Runners that watch files for ever unless they are told that nobody sits there. */
function needsCi({ command, cwd }: TestGateRequest): boolean {
  const words = [command, ...Object.values(readManifest(cwd)?.scripts ?? {})].join('\n')
  return /react-scripts|\bng test\b|\bkarma\b|--watch\b|vue-cli-service/.test(words)
}
