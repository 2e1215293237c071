// Checks of tasks that show little.

/** A command that only sees that the file is there. */
const ONLY_THERE = /^\s*test -[a-z] \S+\s*$/

export function isWeakCheck(command: string): boolean {
  return command.trim() === '' || ONLY_THERE.test(command)
}
