// What foreign code sees: engines, and every command that runs what they wrote.
import { z } from 'zod'

export const SandboxConfig = z.strictObject({
  mode: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe(
      'auto: bubblewrap around all that is foreign where it works, else a warning; required: nothing is started without',
    ),
  show: z
    .array(z.string().min(1).max(1_000))
    .max(100)
    .default([])
    .describe(
      'Folders that are shown read-only besides the tool chain; ~ is the home, which itself never is',
    ),
})

interface Modes {
  readonly sandbox: z.infer<typeof SandboxConfig>
  readonly engines: { readonly sandbox: z.infer<typeof SandboxConfig>['mode'] | null }
}

/** How engines are confined, by both settings. */
export function engineSandbox({ sandbox, engines }: Modes): z.infer<typeof SandboxConfig> {
  return { ...sandbox, mode: engines.sandbox ?? sandbox.mode }
}
