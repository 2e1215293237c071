// An order that cannot be followed as things are; whoever gave it is told what to do instead.

export class Refusal extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
