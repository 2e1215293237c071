// Reads a test report for people and CI. The readers are the gates', so the work is done by a program of the agent.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ReportFormat } from '@treadle/contracts/gate'
import { Command, Option } from 'commander'

const MAIN = fileURLToPath(new URL('../../../agent/src/parse-report.ts', import.meta.url))
const FORMATS = ReportFormat.options.filter((format) => format !== 'none')

type Options = Record<string, string | boolean | undefined>

/** `start` runs a program to its end with these options. */
export function parseReport(start: (program: string, options: Options) => Promise<void>): Command {
  return new Command('parse-report')
    .description('read what a test runner wrote or printed: counts, and each failure with its place')
    .argument('<file>', 'the report or output (- for standard input)')
    .addOption(
      new Option('--format <format>', 'read it as this (default: told from the content)').choices(FORMATS),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit code 0: the report was read, whatever it says. 1: it could not be read.')
    .action((file: string, { format, json }: { format?: string; json?: boolean }) =>
      start(MAIN, { file: file === '-' ? file : resolve(file), format, json }),
    )
}
