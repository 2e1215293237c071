// Links that a terminal opens with a click (OSC 8), where it is known to understand them.

/** What says which terminal this is. */
export type TerminalEnv = Readonly<Record<string, string | undefined>>

const PROGRAMS = /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|Tabby|mintty|WarpTerminal)$/
const TERMS = /kitty|ghostty|alacritty|foot|contour|wezterm/
/** From this version on, terminals that are made of VTE (GNOME, Xfce, …) know links. */
const VTE_VERSION_MIN = 5_000

export function knowsLinks(env: TerminalEnv): boolean {
  if (env.FORCE_HYPERLINK !== undefined) return env.FORCE_HYPERLINK !== '0'
  // What stands between passes links on only if it is told to, and nothing says so.
  if (env.CI !== undefined || /^(dumb|screen|tmux)/.test(env.TERM ?? '')) return false
  return (
    PROGRAMS.test(env.TERM_PROGRAM ?? '') ||
    TERMS.test(env.TERM ?? '') ||
    Number(env.VTE_VERSION ?? 0) >= VTE_VERSION_MIN ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined
  )
}

export function linked(text: string, url: string | null): string {
  return url === null ? text : `\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`
}
