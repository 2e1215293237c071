// An error that the user can put right: said in a sentence, with what to do, and never with a stack.
export class UserError extends Error {
  readonly hint: string | null
  readonly exitCode: 1 | 2
  constructor(message: string, hint: string | null = null, exitCode: 1 | 2 = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}
