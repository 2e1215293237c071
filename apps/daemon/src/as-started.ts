// The settings of treadle.json as the command line that started the daemon changes them.
import type { Config } from '@treadle/contracts/config'

interface StartOptions {
  /** False: whatever the settings say, no lesson is kept back. */
  readonly trial: boolean
  /** True: it looks for improvements itself, unless the settings say that it must not. */
  readonly ideas: boolean
}

/** The settings as this daemon was started: the command line may have said more. */
export function asStarted(config: Config, { trial, ideas }: StartOptions): Config {
  if (trial && !ideas) return config
  const { lessons, flags } = config
  return {
    ...config,
    ...(trial ? {} : { lessons: { ...lessons, trial: false } }),
    ...(ideas ? { flags: { ...flags, enable_ideation: flags.enable_ideation ?? true } } : {}),
  }
}
