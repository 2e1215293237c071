// completion: a script that makes a shell complete commands, options and the numbers of items.
import { Argument } from 'commander'
import { completedCommands } from '../completion/command-tree.ts'
import { completionScript, SHELLS, type ShellName } from '../completion/shells.ts'
import { print } from '../output.ts'
import type { Program } from '../program.ts'

const HOW = `
bash  eval "$(treadle completion bash)"      in ~/.bashrc
zsh   eval "$(treadle completion zsh)"       in ~/.zshrc, after compinit
fish  treadle completion fish > ~/.config/fish/completions/treadle.fish`

export function completionCommands({ root }: Program): void {
  root
    .command('completion')
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .addHelpText('after', HOW)
    .action((shell: ShellName) => print(completionScript(shell, completedCommands(root)).trimEnd()))
}
