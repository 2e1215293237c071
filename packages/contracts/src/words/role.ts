// Roles in words for people.
import type { LaterPart, Power, RoleReaction } from '../role.ts'

export const POWER_WORDS: Readonly<Record<Power, string>> = {
  talk: 'talk with you',
  ask_people: 'ask you questions',
  ask_model: 'ask a model, which only reads',
  write_documents: 'write the documents of ideas and specifications',
  propose_documents: 'propose changes to templates, which you decide',
  record_lessons: 'record lessons',
  change_code: 'change code in a worktree of its own',
  raise_alerts: 'raise alerts',
  assign_work: 'assign work',
  restart_parts: 'restart parts of the system',
}

export const PART_WORDS: Readonly<Record<LaterPart, string>> = {
  builds: 'comes with builds',
}

/** What follows an event, and by whom. */
export function reactionWords({ does, words, setting, part }: RoleReaction): string {
  switch (does) {
    case 'job':
      return setting === null ? words : `${words}, if ${setting} is true; else it waits for you`
    case 'wait':
      return `${words}; it waits for you`
    case 'with_it':
      return words
    case 'later':
      return `${words}${part === null ? '' : ` (${PART_WORDS[part]})`}`
  }
}
