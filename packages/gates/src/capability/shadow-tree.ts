// What is looked at to tell whether a new file takes the place of another. Types only.

/** A tree with a change in it, for whoever looks what takes another's place. */
export interface ShadowTree {
  readonly cwd: string
  /** Files of the tree that were there before the change, also those that it changes. */
  readonly old: ReadonlySet<string>
  readonly added: ReadonlySet<string>
  text(path: string): string
}

/** What a new file takes the place of; `sure`: something that was there before asks for it by that name. */
export interface Shadow {
  readonly sure: boolean
  readonly words: string
}
