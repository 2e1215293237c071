// What lies between two checkpoints, in the form that history keeps.
import { DIFF_CHARS_MAX, type PhaseRecord } from '@treadle/contracts/run'
import type { WorkWorld } from './work-world.ts'

export async function changesOf(
  world: Pick<WorkWorld, 'git' | 'gates'>,
  from: string,
  to: string,
): Promise<Pick<PhaseRecord, 'changes' | 'diff' | 'diffOutput'>> {
  const { files, text } = await world.git.diff(from, to)
  const whole = text === '' ? null : await world.gates.keep(text)
  return { changes: files.slice(0, 200), diff: text.slice(0, DIFF_CHARS_MAX), diffOutput: whole }
}
