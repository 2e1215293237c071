// The world broke: git failed, a process died, the network is away. Outcomes are returned; faults are thrown.
export class Fault extends Error {
  readonly kind: string
  readonly hint: string | null
  constructor(kind: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Fault'
    this.kind = kind
    this.hint = options.hint ?? null
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/**
 * Whether a program could not be started because there is none of that name to start. A folder of PATH that may not
 * be searched makes the system say EACCES for a program that is nowhere.
 */
export function isNoProgram(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return code === 'ENOENT' || code === 'EACCES'
}
