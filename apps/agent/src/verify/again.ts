// Executes what a receipt states in a clean clone: the install with the network, everything else without.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '@treadle/contracts/config'
import type { Receipt, ReceiptGate } from '@treadle/contracts/receipt'
import { Fault, messageOf } from '@treadle/flow/fault'
import { detectTestCommand } from '@treadle/gates/detect-commands'
import { openGates } from '@treadle/gates/gates'
import { openGit } from '@treadle/git/git'
import { fillSubmodules } from '@treadle/git/submodules'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { Executed, type Order } from './checks.ts'
import { type Check, checkGate, excuse, lacksOf } from './compare.ts'
import { missingPackage, withLines } from './failing-lines.ts'
import { settingsOf } from './find-signer.ts'
import { checkMeasure } from './measured.ts'
import { checkOwnTests, ownGate } from './own-tests.ts'
import { run, wayWithoutNetwork } from './without-network.ts'

const CHECKS = fileURLToPath(new URL('./checks.ts', import.meta.url))
const TAIL_BYTES = 4_000

export interface Again {
  readonly repository: string
  readonly commit: string
  readonly receipt: Receipt
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly sandbox: Config['sandbox']
  readonly signal: AbortSignal
  tell(text: string): void
}

export async function executeAgain(again: Again): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-verify-'))
  try {
    return await executeIn(again, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function executeIn(again: Again, folder: string): Promise<Check[]> {
  const { receipt, env, timeoutMs, signal, tell } = again
  const [cwd, evidenceDir] = [join(folder, 'clone'), join(folder, 'evidence')]
  mkdirSync(evidenceDir)
  tell('cloning')
  const cloned = await clone(again, cwd)
  if ('why' in cloned) return [{ what: 'clone', is: 'missing', words: cloned.why }]
  const { install, merged } = receipt.predicate
  const needs = { cwd, writable: [folder], env, sandbox: again.sandbox }
  const refused = await refusalOf(needs)
  if (refused !== null) return [{ what: 'checks', is: 'missing', words: refused }]
  const failed = await installIn(again, { cwd, evidenceDir })
  if (failed !== null) return [{ what: 'install', is: 'missing', words: failed }]
  const installed: Check[] = install === null ? [] : [{ what: 'install', is: 'same', words: install }]
  const wanted = merged.filter(({ command }) => command !== null)
  if (wanted.length === 0)
    return [
      ...installed,
      { what: 'checks', is: 'missing', words: 'the receipt names no command to run again' },
    ]
  const way = await wayWithoutNetwork(needs)
  if (way !== null && 'why' in way) return [...installed, { what: 'checks', is: 'missing', words: way.why }]
  const network = networkCheck(way?.name ?? null)
  const measure = await checkMeasure(again, { cwd, folder, way })
  const own = await ownCommand(again, cwd)
  // Each command once, the tree's own first: what the receipt names must not prepare the tree for it.
  const gates = onceEach(own === null ? wanted : [ownGate(own), ...wanted])
  for (const { command } of gates) tell(`running: ${command}`)
  const order: Order = {
    cwd,
    evidenceDir,
    timeoutMs,
    gates,
    answer: join(folder, 'answer.json'),
  }
  const orderFile = join(folder, 'order.json')
  writeFileSync(orderFile, JSON.stringify(order))
  const words = [...(way?.words ?? []), process.execPath, CHECKS, '--order', orderFile]
  const code = await run(words, way?.env ?? env, signal)
  way?.close()
  if (code !== 0)
    return [
      ...installed,
      network,
      ...measure,
      { what: 'checks', is: 'missing', words: 'they could not be run to their end' },
    ]
  const found = Executed.array().parse(JSON.parse(readFileSync(order.answer, 'utf8')))
  const checks = checksOf({ wanted, own, gates, found })
  const missing = found.map(({ tail }) => missingPackage(tail)).find((name) => name !== null) ?? null
  const lacks = lacksOf(receipt, { emptySubmodules: cloned.emptySubmodules, missing })
  return [...installed, network, ...measure, ...excuse(checks, lacks)]
}

interface Ran {
  /** The checks that the receipt names. */
  readonly wanted: readonly ReceiptGate[]
  /** The tree's own test command. */
  readonly own: string | null
  readonly gates: readonly ReceiptGate[]
  /** What came of each of `gates`. */
  readonly found: readonly Executed[]
}

function checksOf({ wanted, own, gates, found }: Ran): Check[] {
  const cameOf = (of: string | null) => found[gates.findIndex(({ command }) => command === of)]
  const ran = own === null ? undefined : cameOf(own)
  const facts = {
    command: own,
    found: ran?.found,
    isStated: wanted.some(({ command }) => command === own),
    others: found.map((each) => each.found),
  }
  return [
    ...wanted.map((stated) => gateCheck(stated, cameOf(stated.command))),
    withTail(checkOwnTests(facts), ran?.tail ?? ''),
  ]
}

function onceEach(gates: readonly ReceiptGate[]): ReceiptGate[] {
  return [...new Map(gates.toReversed().map((gate) => [gate.command, gate])).values()].toReversed()
}

/** Runs the set-up command that the receipt names, if any; why it failed, or null. */
async function installIn(
  { receipt, repository, sandbox, env, timeoutMs, signal, tell }: Again,
  { cwd, evidenceDir }: { cwd: string; evidenceDir: string },
): Promise<string | null> {
  const { install } = receipt.predicate
  if (install === null) return null
  tell(`installing: ${install}`)
  // The package cache is that of the workspace, so that one is kept and not one for each clone.
  const surroundings = openSurroundings({ ...sandbox, owner: repository })
  const gates = openGates({ evidenceDir, env, tailBytes: TAIL_BYTES, surroundings })
  const ready = await gates.runSetup({ cwd, command: install, timeoutMs, signal })
  return ready.is === 'failed' ? ready.why : null
}

/** Why nothing may be run here, the set-up command included; null if it may. */
async function refusalOf(needs: Parameters<typeof wayWithoutNetwork>[0]): Promise<string | null> {
  const way = await wayWithoutNetwork(needs)
  if (way === null) return null
  if ('why' in way) return way.why
  way.close()
  return null
}

function networkCheck(way: string | null): Check {
  const words =
    way === null
      ? 'could not be taken away here (bubblewrap, or unshare and ip, would do it); the checks may have used it'
      : `taken away by ${way}`
  return { what: 'network', is: 'note', words }
}

/** From git's own folder: the command may have been given in a subfolder, in a worktree or in a bare repository. */
async function clone(
  { repository, commit, env }: Again,
  cwd: string,
): Promise<{ readonly emptySubmodules: readonly string[] } | { readonly why: string }> {
  const git = openGit({ repository, env })
  try {
    await git.run(['clone', '--quiet', '--no-checkout', '--no-hardlinks', await git.commonDir(), cwd])
    const cloned = openGit({ repository: cwd, env })
    await cloned.run(['checkout', '--quiet', '--detach', commit])
    // Git goes on without a file that it cannot read, and calls that a success.
    const [lost = ''] = (await cloned.run(['ls-files', '--deleted', '-z'])).stdout.split('\0')
    if (lost !== '') return { why: `${lost} could not be checked out; git fsck says what is broken` }
    return { emptySubmodules: await fillSubmodules(cloned, cwd, git) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { why: messageOf(error) }
  }
}

function gateCheck(stated: ReceiptGate, executed: Executed | undefined): Check {
  if (executed === undefined) return { what: stated.gate, is: 'missing', words: 'it was not run' }
  return withTail(checkGate(stated, executed.found), executed.tail)
}

function withTail(check: Check, tail: string): Check {
  return check.is === 'differs' ? { ...check, words: withLines(check.words, tail) } : check
}

/** How the merged commit itself says that its tests are run; what the checkout of whoever verifies says does not count. */
async function ownCommand({ repository, commit, env }: Again, cwd: string): Promise<string | null> {
  const { tests } = await settingsOf(openGit({ repository, env }), commit)
  return tests.command ?? detectTestCommand(cwd)
}
