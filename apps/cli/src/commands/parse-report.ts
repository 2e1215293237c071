// Reads a test report for people and CI. The readers are the gates', so the work is done by a program of the agent.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ReportFormat } from '@treadle/contracts/gate'
import { Option } from 'commander'
import { runAgentProgram } from '../agent-program.ts'
import type { Program } from '../program.ts'

const MAIN = fileURLToPath(new URL('../../../agent/src/parse-report.ts', import.meta.url))
const FORMATS = ReportFormat.options.filter((format) => format !== 'none')

export function parseReportCommands(program: Program): void {
  program.root
    .command('parse-report')
    .argument('<file>', 'the report or output (- for standard input)')
    .addOption(
      new Option('--format <format>', 'read it as this (default: told from the content)').choices(FORMATS),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit code 0: the report was read, whatever it says. 1: it could not be read.')
    .action(async (file: string, { format, json }: { format?: string; json?: boolean }) => {
      const options = { file: file === '-' ? file : resolve(file), format, json }
      program.exitCode = await runAgentProgram(program.env, MAIN, options)
    })
}
