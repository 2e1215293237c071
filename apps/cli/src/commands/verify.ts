// Executes the receipt of a merge again. The checks are the gates', so the work is done by a program of the agent.
import { resolve } from 'node:path'
import { runAgentProgram, VERIFY_MAIN } from '../agent-program.ts'
import type { Program } from '../program.ts'

interface VerifyOptions {
  readonly receipt?: string
  readonly signers?: string
  readonly minutes?: string
  readonly json?: boolean
}

export function verifyCommands(program: Program): void {
  program.root
    .command('verify')
    .argument('<commit>', 'a merge that Treadle has made')
    .option('--receipt <file>', 'take the receipt from this file (default: the note of the commit)')
    .option('--signers <file>', 'keys that you know, as ssh lists allowed signers; no other counts then')
    .option('--minutes <n>', 'time for each command', '30')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe tests of the tree itself are run too, whatever the receipt names. A merge that is not signed by the key of the first\nsigned merge, by one that your git knows or by one of --signers is no yes.\nThe install command may use the network, the checks run without it where the system allows.\nExit code 0: yes. 1: no, and what differs. 3: cannot tell, and what is missing.',
    )
    .action(async (commit: string, { receipt, signers, minutes, json }: VerifyOptions) => {
      const options = {
        repository: process.cwd(),
        commit,
        receipt: receipt === undefined ? undefined : resolve(receipt),
        signers: signers === undefined ? undefined : resolve(signers),
        minutes,
        json,
      }
      program.exitCode = await runAgentProgram(program.env, VERIFY_MAIN, options)
    })
}
