import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadProject } from '../project/load.ts'
import { loadMessage, observeEdited } from './baseline.ts'
import { reachOf } from './plan.ts'
import { Pool, type PoolVerdict } from './pool.ts'

let folder: string
let root: string
let scratch: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')))
  root = join(folder, 'project')
  scratch = join(folder, 'scratch')
  for (const path of [root, scratch]) mkdirSync(path)
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'answer.ts'), 'export function answer(): number {\n  return 41\n}\n')
  writeFileSync(
    join(root, 'answer.test.ts'),
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from './answer.ts'
test('the answer', async () => {
  assert.equal(await answer(), 42)
})
`,
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs bodies of `answer` one after the other in one child, as candidates. */
async function tryBodies(bodies: readonly string[]): Promise<PoolVerdict[]> {
  const project = loadProject(root, null)
  const module = project.files.findIndex((file) => file.path === 'answer.ts')
  const code = project.files[module]?.rendered.code.text ?? ''
  const at = code.indexOf('return 41')
  const waiting = bodies.map((text, id) => ({
    id,
    tests: [],
    edits: [{ module, at, remove: 'return 41'.length, text }],
  }))
  const verdicts: PoolVerdict[] = []
  const failing = [`${project.tests[0]}|the answer`]
  const plan = { failing, steps: [0], passing: [], fuel: {}, reach: reachOf(project) }
  const pool = new Pool({
    place: { root, scratch: { path: scratch, before: [] }, confined: true },
    workers: 1,
    silenceMs: 8_000,
    greeting: [loadMessage(project, { fuel: 200_000, cpuMs: 500, testMs: 1_000 })],
  })
  await pool.run({
    plan,
    next: (count) => waiting.splice(0, count),
    heard: (id, { verdict }) => {
      verdicts[id] = verdict
    },
  })
  pool.stop()
  return verdicts
}

/** What is said of a body of `answer` where its coverage is taken, as before something is built upon it. */
async function observeBody(text: string): Promise<string> {
  const project = loadProject(root, null)
  const module = project.files.findIndex((file) => file.path === 'answer.ts')
  const at = project.files[module]?.rendered.code.text.indexOf('return 41') ?? -1
  const tests = await observeEdited(project, { path: scratch, before: [] }, [
    { module, at, remove: 'return 41'.length, text },
  ])
  return tests?.map((test) => test.is).join() ?? 'gone'
}

const GREEN: PoolVerdict = { is: 'ran', fixed: [0], advanced: 0, broken: 0, green: true }
const NOTHING: PoolVerdict = { is: 'ran', fixed: [], advanced: 0, broken: 0, green: false }
const load = (module: string) => `const m = process.getBuiltinModule('node:${module}')`

test.each([
  ['an endless loop', 'while (true) {if($fuel.left--<0)$fuel.out();}', NOTHING],
  [
    'an endless loop that catches everything',
    'for(;;){try{for(;;){if($fuel.left--<0)$fuel.out();}}catch{if($fuel.left--<0)$fuel.out();}}',
    NOTHING,
  ],
  [
    'a loop whose turns cost more and more',
    'const all = []; for (;;) { if($fuel.left--<0)$fuel.out(); all.unshift(all.length); all.sort(() => 0) }',
    NOTHING,
  ],
  ['a loop that the fuel does not see', "return /^(a+)+$/.test('a'.repeat(60) + 'b')", { is: 'killed' }],
  ['a stack overflow', 'return answer() + 1', NOTHING],
  [
    'out of memory',
    'const all = []; for (let i = 0; ; i++) all.push(new Array(1e6).fill(i))',
    { is: 'killed' },
  ],
  ['an exit', 'process.exit(0)', NOTHING],
  ['an exit by another name', 'process.reallyExit(0)', NOTHING],
  ['a signal to itself', "process.kill(process.pid, 'SIGKILL')", NOTHING],
  ['a signal by another name', 'process._kill(process.pid, 9)', NOTHING],
  ['an unhandled rejection', "Promise.reject(new Error('lost')); return 41", NOTHING],
  ['an error in a timer', "setTimeout(() => { throw new Error('late') }, 1); return 41", NOTHING],
  ['a promise that never settles', 'return new Promise(() => {})', NOTHING],
  ['no syntax', 'return (', { is: 'invalid' }],
])('%s does not harm the search: the next candidate is judged', async (_, body, verdict) => {
  expect(await tryBodies([body, 'return 42'])).toEqual([verdict, GREEN])
})

test('a candidate can neither write nor delete outside of the scratch folder', async () => {
  const victim = join(folder, 'victim.txt')
  writeFileSync(victim, 'precious')
  const made = join(folder, 'made.txt')
  const inside = join(scratch, 'inside.txt')
  const bodies = [
    `${load('fs')}; m.writeFileSync(${JSON.stringify(victim)}, 'gone'); return 42`,
    `${load('fs')}; m.rmSync(${JSON.stringify(folder)}, { recursive: true, force: true }); return 42`,
    `${load('fs')}; m.appendFileSync(${JSON.stringify(join(root, 'answer.ts'))}, '// changed'); return 42`,
    `${load('fs')}; m.renameSync(${JSON.stringify(victim)}, ${JSON.stringify(made)}); return 42`,
    `${load('fs')}; m.symlinkSync(${JSON.stringify(victim)}, ${JSON.stringify(made)}); return 42`,
    `${load('fs')}; return m.promises.writeFile(${JSON.stringify(made)}, 'x').then(() => 42)`,
    `${load('fs')}; m.writeFileSync(${JSON.stringify(inside)}, 'mine'); return 42`,
  ]
  const verdicts = await tryBodies(bodies)
  expect(verdicts).toEqual([...bodies.slice(1).map(() => NOTHING), GREEN])
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(existsSync(made)).toBe(false)
  expect(readFileSync(join(root, 'answer.ts'), 'utf8')).not.toContain('changed')
  expect(readFileSync(inside, 'utf8')).toBe('mine')
})

test('a candidate can start no process and no thread', async () => {
  const mark = join(scratch, 'started')
  const bodies = [
    `${load('child_process')}; m.execFileSync('touch', [${JSON.stringify(mark)}]); return 42`,
    `${load('child_process')}; m.spawn('touch', [${JSON.stringify(mark)}]); return 42`,
    `${load('worker_threads')}; new m.Worker('1', { eval: true }); return 42`,
  ]
  expect(await tryBodies([...bodies, 'return 42'])).toEqual([...bodies.map(() => NOTHING), GREEN])
  expect(existsSync(mark)).toBe(false)
})

test('a candidate can open no socket', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const bodies = [
    `${load('net')}; m.connect(${port}, '127.0.0.1'); return 42`,
    `${load('net')}; m.createServer().listen(0); return 42`,
    `return fetch('http://127.0.0.1:${port}').then(() => 42)`,
    `${load('http')}; m.get('http://127.0.0.1:${port}'); return 42`,
    `${load('dgram')}; m.createSocket('udp4').send('x', ${port}, '127.0.0.1'); return 42`,
  ]
  const verdicts = await tryBodies([...bodies, 'return 42'])
  expect(verdicts.at(-1)).toEqual(GREEN)
  expect(verdicts.slice(0, 3)).toEqual([NOTHING, NOTHING, NOTHING])
  expect(connections).toBe(0)
  await new Promise((resolve) => server.close(resolve))
})

test('a candidate sees nothing of the environment of the engine', async () => {
  const bodies = [
    'return Object.keys(process.env).some((name) => /TOKEN|KEY|SECRET|HOME|USER/.test(name)) ? 41 : 42',
  ]
  expect(await tryBodies(bodies)).toEqual([GREEN])
})

test('what is watched while it runs writes nothing outside and starts and connects to nothing', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const victim = join(folder, 'victim.txt')
  writeFileSync(victim, 'precious')
  const mark = join(scratch, 'started')
  const bodies = [
    `${load('fs')}; m.writeFileSync(${JSON.stringify(victim)}, 'gone'); return 42`,
    `${load('fs')}; m.rmSync(${JSON.stringify(victim)}); return 42`,
    `${load('child_process')}; m.execFileSync('touch', [${JSON.stringify(mark)}]); return 42`,
    `${load('worker_threads')}; new m.Worker('1', { eval: true }); return 42`,
    `${load('net')}; m.connect(${port}, '127.0.0.1'); return 42`,
    `return fetch('http://127.0.0.1:${port}').then(() => 42)`,
  ]
  for (const body of bodies) expect([body, await observeBody(body)]).toEqual([body, 'failed'])
  expect(await observeBody('return 42')).toBe('passed')
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(existsSync(mark)).toBe(false)
  expect(connections).toBe(0)
  await new Promise((resolve) => server.close(resolve))
})

test('what is watched cannot use the inspector itself', async () => {
  const bodies = [
    `${load('inspector')}; m.open(0, '127.0.0.1'); return 42`,
    `${load('inspector/promises')}; m.open(0, '127.0.0.1'); return 42`,
    `${load('inspector')}; new m.Session().connect(); return 42`,
    `${load('inspector/promises')}; new m.Session().connect(); return 42`,
    'process._debugProcess(process.pid); return 42',
    "process.binding('inspector'); return 42",
  ]
  for (const body of bodies) expect([body, await observeBody(body)]).toEqual([body, 'failed'])
})
