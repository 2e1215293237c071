// Globals and variables of the environment that a test puts others in the place of, until it is over.
type Holder = Record<string, unknown>

// biome-ignore lint/style/noProcessEnv: it is the environment of the program under test, which is what a test stubs
export const environment = process.env

class Stubs {
  readonly #before = new Map<object, Map<string, PropertyDescriptor | undefined>>()

  set(holder: object, name: string, value: unknown): void {
    const known = this.#before.get(holder) ?? new Map<string, PropertyDescriptor | undefined>()
    this.#before.set(holder, known)
    if (!known.has(name)) known.set(name, Object.getOwnPropertyDescriptor(holder, name))
    if (holder !== environment)
      Object.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: true })
    else if (value === undefined) delete (holder as Holder)[name]
    else (holder as Holder)[name] = String(value)
  }

  restore(holder: object): void {
    for (const [name, before] of this.#before.get(holder) ?? []) {
      if (before === undefined) delete (holder as Holder)[name]
      else Object.defineProperty(holder, name, before)
    }
    this.#before.delete(holder)
  }

  restoreAll(): void {
    for (const holder of [...this.#before.keys()]) this.restore(holder)
  }
}

export const stubs = new Stubs()
