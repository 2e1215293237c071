// The same deed in the words of each program's own tools.
import type { ModelReply, ModelRequest } from './exchange.ts'

type Call = NonNullable<ModelReply['toolCalls']>[number]

interface Edit {
  readonly path: string
  readonly from: string
  readonly to: string
}

interface Choice {
  readonly question: string
  readonly options: readonly string[]
}

/** What a model can do with the tools it was given. */
export interface Dialect {
  read(path: string): Call
  edit(edit: Edit): Call
  run(command: string): Call
  /** Null: there is no tool to ask with. */
  ask(choice: Choice): Call | null
}

const call = (name: string, input: unknown): Call => ({ name, input })
const nobody = () => null

const claudeCode: Dialect = {
  read: (path) => call('Read', { file_path: path }),
  edit: ({ path, from, to }) => call('Edit', { file_path: path, old_string: from, new_string: to }),
  run: (command) => call('Bash', { command, description: 'Run it' }),
  ask: ({ question, options }) =>
    call('AskUserQuestion', {
      questions: [
        {
          question,
          header: 'Choice',
          multiSelect: false,
          options: options.map((label) => ({ label, description: label })),
        },
      ],
    }),
}

const gemini: Dialect = {
  read: (path) => call('read_file', { file_path: path }),
  edit: ({ path, from, to }) =>
    call('replace', { file_path: path, old_string: from, new_string: to, instruction: `Make it ${to}` }),
  run: (command) => call('run_shell_command', { command, description: 'Run it' }),
  ask: nobody,
}

/** Our own engine, and opencode, whose words it has. */
const plain: Dialect = {
  read: (path) => call('read', { filePath: path }),
  edit: ({ path, from, to }) => call('edit', { filePath: path, oldString: from, newString: to }),
  run: (command) => call('bash', { command, description: 'Run it' }),
  ask: ({ question, options }) => call('ask', { question, options }),
}

/** Programs that have nothing but a shell. */
function shellOnly(name: string, inputOf: (command: string) => unknown): Dialect {
  const run = (command: string) => call(name, inputOf(command))
  return {
    read: (path) => run(`cat ${path}`),
    edit: ({ path, from, to }) => run(`sed -i 's|${from}|${to}|' ${path}`),
    run,
    ask: nobody,
  }
}

/** Codex with its newer models: a script that calls the tools. */
const script = (cmd: string) =>
  `const { output } = await tools.exec_command(${JSON.stringify({ cmd, yield_time_ms: 30_000 })}); text(output)`

const dialects: readonly (readonly [tool: string, Dialect])[] = [
  ['Bash', claudeCode],
  ['run_shell_command', gemini],
  ['bash', plain],
  ['exec', shellOnly('exec', script)],
  ['exec_command', shellOnly('exec_command', (cmd) => ({ cmd }))],
  ['shell_command', shellOnly('shell_command', (command) => ({ command }))],
  ['shell', shellOnly('shell', (command) => ({ command: ['bash', '-lc', command] }))],
]

/** Null: a request beside the work, for a title for example. */
export function dialectOf({ tools }: ModelRequest): Dialect | null {
  const names = new Set(tools.map(({ name }) => name))
  const found = dialects.find(([tool]) => names.has(tool))?.[1]
  if (found === undefined) return null
  const asking = names.has('ask') || names.has('AskUserQuestion')
  return asking ? found : { ...found, ask: nobody }
}
