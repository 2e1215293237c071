// Completion scripts. All that is known when they are made stands in them, so that a tab asks nobody but for numbers.
import type { CompletedCommand } from './command-tree.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof SHELLS)[number]

export function completionScript(shell: ShellName, commands: readonly CompletedCommand[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands)
}

/** For single quotes of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Which command the words before name: both shells walk along them in the same way. */
function walk(commands: readonly CompletedCommand[], words: string): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  return `  local at='' word
  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done`
}

/** The words before the one that is completed. */
const BASH_WORDS = `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`
const ZSH_WORDS = `"\${(@)words[2,CURRENT-1]}"`

function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ name, choices }) =>
          `    ${quoted(`${path}:${name}`)}) known=${quoted(choices.join(' '))}; isValue=1 ;;`,
      ),
  )
  const words = commands.map(({ path, commands: below, options, takesNumber, choices }) => {
    const names = [...below, ...options].map(({ name }) => name)
    return `    ${quoted(path)}) known=${quoted([...names, ...choices].join(' '))}; numbers=${takesNumber ? 1 : 0} ;;`
  })
  return `# Completion of treadle for bash. Put into ~/.bashrc: eval "$(treadle completion bash)"
_treadle() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" known='' isValue=0 numbers=0
${walk(commands, BASH_WORDS)}
  case "$at:$prev" in
${values.join('\n')}
  esac
  if [ "$isValue" = 1 ]; then
    if [ -n "$known" ]; then COMPREPLY=($(compgen -W "$known" -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
    return
  fi
  case "$at" in
${words.join('\n')}
  esac
  if [ "$numbers" = 1 ] && [ "\${cur:0:1}" != - ]; then
    known="$(treadle completion numbers 2>/dev/null | cut -f1 | tr '\\n' ' ')"
  elif [ "\${cur:0:1}" != - ]; then
    known="$(printf '%s\\n' $known | grep -v '^-')"
  fi
  COMPREPLY=($(compgen -W "$known" -- "$cur"))
}
complete -F _treadle treadle
`
}

/** For an entry of _describe: a colon ends the name. */
const described = (name: string, description: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`)

function zshScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) =>
        choices.length === 0
          ? `    ${quoted(`${path}:${name}`)}) _files; return ;;`
          : `    ${quoted(`${path}:${name}`)}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`,
      ),
  )
  const words = commands.map(({ path, commands: below, options, takesNumber, choices }) => {
    const named = [...below, ...choices.map((name) => ({ name, description: '' }))]
    return `    ${quoted(path)})
      known=(${named.map(({ name, description }) => described(name, description)).join(' ')})
      flags=(${options.map(({ name, description }) => described(name, description)).join(' ')})
      numbers=${takesNumber ? 1 : 0} ;;`
  })
  return `#compdef treadle
# Completion of treadle for zsh. Put into ~/.zshrc, after compinit: eval "$(treadle completion zsh)"
_treadle() {
  local -a known flags
  local numbers=0 line
${walk(commands, ZSH_WORDS)}
  case "$at:\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option flags
    return
  fi
  if [[ $numbers == 1 ]]; then
    treadle completion numbers 2>/dev/null | while IFS=$'\\t' read -r word line; do
      known+=("$word:\${line//:/ }")
    done
  fi
  _describe command known
}
if [ "$funcstack[1]" = _treadle ]; then _treadle "$@"; else compdef _treadle treadle; fi
`
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => fishQuoted(path))
  const lines = commands.flatMap(({ path, commands: below, options, takesNumber, choices }) => {
    const when = `-n ${fishQuoted(`__treadle_at ${fishQuoted(path)}`)}`
    return [
      ...below.map(
        ({ name, description }) =>
          `complete -c treadle -f ${when} -a ${fishQuoted(name)} -d ${fishQuoted(description)}`,
      ),
      ...choices.map((name) => `complete -c treadle -f ${when} -a ${fishQuoted(name)}`),
      ...(takesNumber
        ? [`complete -c treadle -f ${when} -a '(treadle completion numbers 2>/dev/null)'`]
        : []),
      ...options.map(({ name, description, takesValue, choices: values }) => {
        const flag = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
        const value = takesValue
          ? ` -r${values.length > 0 ? ` -f -a ${fishQuoted(values.join(' '))}` : ''}`
          : ''
        return `complete -c treadle ${when} ${flag}${value} -d ${fishQuoted(description)}`
      }),
    ]
  })
  return `# Completion of treadle for fish: treadle completion fish > ~/.config/fish/completions/treadle.fish
function __treadle_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    contains -- "$next" ${paths.join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}
