export type Change<S> = { label: string; apply: (state: S) => S; group?: string }

type Step<S> = { label: string; before: S; after: S; group: string | null }

// States are never changed in place, so a step keeps the states before and after it.
export class UndoStack<S> {
  private steps: Step<S>[] = []
  private position = 0
  private savedAt: number | null = 0
  private current: S
  private readonly limit: number

  constructor(initial: S, limit = 100) {
    this.current = initial
    this.limit = limit
  }

  get state(): S {
    return this.current
  }

  get dirty(): boolean {
    return this.savedAt !== this.position
  }

  do(change: Change<S>): S {
    const before = this.current
    const after = change.apply(before)
    if (after === before) return before
    // What was saved can no longer be reached once its branch is cut off.
    if (this.savedAt !== null && this.savedAt > this.position) this.savedAt = null
    this.steps = this.steps.slice(0, this.position)
    const group = change.group ?? null
    const last = this.steps.at(-1)
    if (last && group !== null && last.group === group && this.savedAt !== this.position) {
      last.after = after
    } else {
      this.steps.push({ label: change.label, before, after, group })
      this.position += 1
    }
    this.current = after
    this.trim()
    return after
  }

  undo(): string | null {
    const step = this.steps[this.position - 1]
    if (!step) return null
    this.position -= 1
    this.current = step.before
    return step.label
  }

  redo(): string | null {
    const step = this.steps[this.position]
    if (!step) return null
    this.position += 1
    this.current = step.after
    return step.label
  }

  save(): void {
    this.savedAt = this.position
  }

  history(): string[] {
    return this.steps.map((step, index) => `${index < this.position ? 'done' : 'undone'} ${step.label}`)
  }

  private trim(): void {
    const excess = this.steps.length - this.limit
    if (excess <= 0) return
    this.steps.splice(0, excess)
    this.position -= excess
    if (this.savedAt !== null) {
      this.savedAt -= excess
      if (this.savedAt < 0) this.savedAt = null
    }
  }
}
