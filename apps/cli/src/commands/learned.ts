// What was learned, as lines of a retrospective.
import type { LearnedNote, Retrospective } from '@treadle/contracts/retrospective'
import { clip, paint, print } from '../output.ts'
import { flowed } from '../terminal/columns.ts'

export function section(title: string, lines: readonly string[]): void {
  print(`\n${paint('bold', title)}`)
  for (const line of lines.length === 0 ? ['nothing to tell'] : lines) print(flowed(`  ${line}`, { hang: 2 }))
}

export function newsOf({ learned }: Retrospective): LearnedNote[] {
  return learned.filter(({ how }) => how !== 'not_worth' && how !== 'confirmed')
}

const HOW: Record<LearnedNote['how'], string> = {
  recorded: 'new',
  seen_again: 'seen again',
  superseding: 'says it better',
  known_better: 'known',
  confirmed: 'confirmed',
  adjusted: 'trusted less',
  not_worth: 'not kept',
}

export function learnedLine({ how, type, text, why, lessonId }: LearnedNote): string {
  const id = lessonId === null ? '' : ` · ${lessonId.slice(0, 8)}`
  return `${type.replaceAll('_', ' ')}, ${HOW[how]}: ${clip(text, 160)}${paint('dim', ` · ${why}${id}`)}`
}
