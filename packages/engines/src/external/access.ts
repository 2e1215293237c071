// The keys and addresses that each engine gets, and nobody else.
const anthropic = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL']
const openai = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY']
const google = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL']

const variables: Readonly<Record<string, readonly string[]>> = {
  'claude-code': anthropic,
  codex: openai,
  gemini: google,
  opencode: [...anthropic, ...openai, ...google],
}

export type Access = Readonly<Record<string, string>>

/** The few variables of the environment that this engine is for. */
export function accessOf(engine: string, env: Readonly<Record<string, string | undefined>>): Access {
  const wanted = Object.hasOwn(variables, engine) ? (variables[engine] ?? []) : []
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}
