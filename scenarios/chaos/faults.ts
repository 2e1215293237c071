// What is done to a crew at work, one fault at a time.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick } from '../crash/crash-run.ts'
import { type CrewUnderTest, kill9 } from '../crash/crew.ts'

export const FAULTS = ['agent', 'engine', 'daemon', 'corrupt', 'unwritable'] as const
export type Fault = (typeof FAULTS)[number]
export type Counts = Record<Fault, number>

/** The daemon is killed by whoever starts it again. */
export type SmallFault = Exclude<Fault, 'daemon'>

const GARBAGE = [
  '',
  '{',
  'null',
  '{"agentId":"agent-1"}',
  '\0\0\0\0',
  '{"agentId":"agent-1","status":"flying"}',
]

export class Mischief {
  readonly crew: CrewUnderTest
  readonly random: () => number
  #repairs: Promise<void> = Promise.resolve()

  constructor(crew: CrewUnderTest, random: () => number) {
    this.crew = crew
    this.random = random
  }

  /** False if there was nothing to do it to. */
  do(fault: SmallFault): boolean {
    switch (fault) {
      case 'agent':
        return this.#kill(this.crew.agentPids())
      case 'engine':
        return this.#kill(this.crew.enginePids())
      case 'corrupt':
        return this.#corrupt()
      case 'unwritable':
        return this.#block()
    }
  }

  /** Until everything that was put out of place is back. */
  settle(): Promise<void> {
    return this.#repairs
  }

  #kill(pids: readonly number[]): boolean {
    const pid = pick(pids, this.random)
    return pid !== null && kill9(pid)
  }

  #corrupt(): boolean {
    const name = pick(sessionFiles(this.crew.root), this.random)
    if (name === null) return false
    try {
      writeFileSync(name, pick(GARBAGE, this.random) ?? '')
      return true
    } catch {
      // The folder was moved away meanwhile.
      return false
    }
  }

  /** A plain file in the folder's place keeps out root as well. */
  #block(): boolean {
    const folder = join(this.crew.root, '.claude-sessions')
    const aside = `${folder}.aside`
    try {
      if (readdirSync(folder).length === 0) return false
      renameSync(folder, aside)
      writeFileSync(folder, 'in the way\n', { flag: 'wx' })
    } catch {
      // It is in the way already, or an agent has just made the folder anew.
      restore(folder, aside)
      return false
    }
    this.#repairs = this.#repairs.then(async () => {
      await sleep(300 + this.random() * 1_500)
      restore(folder, aside)
    })
    return true
  }
}

/** What was written meanwhile is newer than what was put aside. */
function restore(folder: string, aside: string): void {
  // Somebody may have made the folder anew in the meantime.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) rmSync(folder, { force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of namesIn(aside)) {
    if (!namesIn(folder).includes(name)) renameSync(join(aside, name), join(folder, name))
  }
  rmSync(aside, { recursive: true, force: true })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export function sessionFiles(root: string): string[] {
  const folder = join(root, '.claude-sessions')
  return namesIn(folder).flatMap((name) => (name.endsWith('.session') ? [join(folder, name)] : []))
}

export function readText(file: string): string {
  return readFileSync(file, 'utf8')
}
