// A command whose words may begin with a dash, as the bullets of a list do.
import { Command, type ParseOptionsResult } from 'commander'

/** Stands before words while commander looks for options, and is typed by nobody. */
const MARK = '\u{f8ff}'

export class SpokenCommand extends Command {
  override createCommand(name?: string): SpokenCommand {
    return new SpokenCommand(name)
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const marked = args.map((arg, nth) => (isWords(arg) && !this.takes(args[nth - 1]) ? MARK + arg : arg))
    const { operands, unknown } = super.parseOptions(marked)
    return { operands: operands.map(unmarked), unknown: unknown.map(unmarked) }
  }

  /** Whether what follows is its value, which commander takes as it is. */
  private takes(arg: string | undefined): boolean {
    return this.options.some(
      (option) => arg !== undefined && [option.short, option.long].includes(arg) && !option.isBoolean(),
    )
  }
}

/** No name of an option has a space in it. */
function isWords(arg: string): boolean {
  return /^-[^=]*\s/.test(arg)
}

function unmarked(arg: string): string {
  return arg.startsWith(MARK) ? arg.slice(MARK.length) : arg
}
