// How the traps are written and run for each runner, and what each reporter leaves behind.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../../tools/env.ts'
import type { Family, Trap } from './trap.ts'

/** What a reporter wrote, by a name whose ending tells whether it is for people. */
export type Captures = Readonly<Record<string, string>>

interface Runner {
  /** What is installed beside the runner itself. */
  readonly reporters: readonly string[]
  readonly ending: string
  /** What gives the short words of the traps their meaning. */
  readonly words: string
  readonly importing: (path: string) => string
  readonly run: (at: Project, args: readonly string[], files: readonly string[]) => Captures
}

interface Project {
  /** Where the runner is installed. */
  readonly home: string
  readonly folder: string
}

const runMsMax = 60_000
const equal = "const eq=(a,b)=>{if(a!==b)throw new Error('expected '+a+' to be '+b)};\n"
const hooks = 'BE=beforeEach,AE=afterEach,TMO=60,HTMO=60'
const inCommonJs = (path: string): string => `require('${path}');`

const runners: Readonly<Record<Family, Runner>> = {
  jest: {
    reporters: ['jest-junit'],
    ending: 'test.js',
    words: `const D=describe,T=test,BA=beforeAll,AA=afterAll,${hooks},TODO=test.todo,RO=undefined,RT=()=>{},FN=f=>f,RETRY=n=>jest.retryTimes(n);const require_assert=()=>require('assert');\n`,
    importing: inCommonJs,
    run: (at, args) => ({
      'default.txt': printed(at, 'jest', [
        '--reporters=default',
        '--reporters=jest-junit',
        '--json',
        '--outputFile=out.json',
        ...args,
      ]),
      json: written(at, 'out.json'),
      'junit.xml': written(at, 'junit.xml'),
    }),
  },
  vitest: {
    reporters: [],
    ending: 'test.mjs',
    words:
      "import {describe as D,test as T,beforeAll as BA,afterAll as AA,beforeEach as BE,afterEach as AE,expect} from 'vitest';import assert_ from 'node:assert';const TMO=60,HTMO=60,TODO=T.todo,RO={retry:2},RT=()=>{},FN=f=>f,RETRY=()=>{};const require_assert=()=>assert_;\n",
    importing: (path) => `import '${path}';`,
    run: (at, args) => ({
      'default.txt': printed(at, 'vitest', [
        'run',
        '--reporter=default',
        '--reporter=json',
        '--reporter=junit',
        '--outputFile.json=out.json',
        '--outputFile.junit=out.xml',
        ...args,
      ]),
      json: written(at, 'out.json'),
      'junit.xml': written(at, 'out.xml'),
      tap: printed(at, 'vitest', ['run', '--reporter=tap', ...args], true),
    }),
  },
  mocha: {
    reporters: ['mocha-junit-reporter', 'mochawesome'],
    ending: 'test.js',
    words: `const D=describe,T=(n,f,t)=>{const x=it(n,f);if(typeof t==='number')x.timeout(t);return x},BA=before,AA=after,${hooks},TODO=n=>it(n),RO=undefined,RT=(t)=>{t.retries(2)},FN=f=>f,RETRY=()=>{};T.skip=it.skip;T.only=it.only;const require_assert=()=>require('assert');\n`,
    importing: inCommonJs,
    run: (at, args, files) => {
      const mocha = (reporter: string, forMachines: boolean, ...more: string[]): string =>
        printed(at, 'mocha', ['--exit', '--reporter', reporter, ...more, ...args, ...files], forMachines)
      mocha('mocha-junit-reporter', false)
      mocha('mochawesome', false, '--reporter-options', 'html=false,reportDir=mochawesome,quiet=true')
      return {
        'spec.txt': mocha('spec', false),
        'dot.txt': mocha('dot', false),
        json: mocha('json', true),
        'xunit.xml': mocha('xunit', true),
        tap: mocha('tap', true),
        'junit.xml': written(at, 'test-results.xml'),
        'mochawesome.json': written(at, 'mochawesome/mochawesome.json'),
      }
    },
  },
  node: {
    reporters: [],
    ending: 'test.js',
    words:
      "const {describe:D,it:T0,before:BA,after:AA,beforeEach:BE,afterEach:AE}=require('node:test');const T=(n,f,t)=>typeof t==='number'?T0(n,{timeout:t},f):T0(n,f);T.skip=T0.skip;T.only=(n,f)=>T0(n,{only:true},f);const TMO=60,TODO=n=>T0.todo(n);const require_assert=()=>require('assert');\n",
    importing: inCommonJs,
    run: (at, args, files) => {
      const to = (reporter: string, place: string): string[] => [
        `--test-reporter=${reporter}`,
        `--test-reporter-destination=${place}`,
      ]
      const reporters = [...to('spec', 'stdout'), ...to('tap', 'out.tap'), ...to('junit', 'out.xml')]
      return {
        'spec.txt': printed(at, 'node', ['--test', ...reporters, ...args, ...files]),
        tap: written(at, 'out.tap'),
        'junit.xml': written(at, 'out.xml'),
      }
    },
  },
}

/** Installs the runner with its reporters, once. */
export function install(home: string, family: Family, version: string): void {
  if (existsSync(join(home, 'node_modules'))) return
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}\n')
  const packages = [`${family}@${version}`, ...runners[family].reporters]
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: home,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${packages.join(' ')} cannot be installed: ${stderr}`)
}

/** The trap as a project of its own, run with each reporter. */
export function capture(home: string, family: Family, trap: Trap): Captures {
  const folder = join(home, 'project')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const runner = runners[family]
  const files = Object.entries(trap.files).map(([name, body]) => {
    const text = body?.replace(/IMPORT\('(.*?)'\)/, (_, path: string) => runner.importing(path))
    writeFileSync(
      join(folder, `${name}.${runner.ending}`),
      text === undefined ? '' : runner.words + equal + text,
    )
    return `${name}.${runner.ending}`
  })
  const found = runner.run({ home, folder }, trap.args?.[family] ?? [], files)
  const told = Object.entries(found).filter(([, text]) => text !== '')
  return Object.fromEntries(told.map(([kind, text]) => [kind, text.replaceAll(folder, '/project')]))
}

/** Both streams in the order in which they were written; for machines the standard output alone. */
function printed({ home, folder }: Project, program: string, args: readonly string[], forMachines = false) {
  const path = join(home, 'printed')
  const file = openSync(path, 'w')
  try {
    spawnSync(join(home, 'node_modules/.bin', program), args, {
      cwd: folder,
      timeout: runMsMax,
      stdio: ['ignore', file, forMachines ? 'ignore' : file],
      env: { PATH: env.path, HOME: home, NO_COLOR: '1' },
    })
  } finally {
    closeSync(file)
  }
  return readFileSync(path, 'utf8')
}

function written({ folder }: Project, name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
