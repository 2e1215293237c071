// What foreign code sees: engines, and every command that runs what they wrote.
import { z } from 'zod'

/** Package managers, and the file of logins that many programs read. */
export const LOGINS = [
  ...['npm', 'yarn', 'bun', 'pip', 'poetry', 'cargo', 'bundler', 'maven', 'gradle', 'composer', 'nuget'],
  'netrc',
] as const

/** A port of this machine, or the path of a socket. */
const Service = z
  .string()
  .max(1_000)
  .regex(
    /^(?:(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}|\/.+)$/,
    'is no 127.0.0.1:port and no path of a socket',
  )
  .refine((text) => text.startsWith('/') || isFreePort(Number(text.split(':').at(-1))), {
    message: 'only ports from 1024 to 65535 can be passed in',
  })

/** Inside nobody may listen below. */
const isFreePort = (port: number): boolean => port >= 1_024 && port <= 65_535

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
  reach: z
    .array(Service)
    .max(20)
    .default([])
    .describe(
      'Services of this machine that commands without the network reach: 127.0.0.1:5432, or the path of a socket',
    ),
  logins: z
    .array(z.enum(LOGINS))
    .default([])
    .describe(
      'Package managers whose logins tests.setupCommand, and nothing else, may read; so may install scripts of a change',
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
