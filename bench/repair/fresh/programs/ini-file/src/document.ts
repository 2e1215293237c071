// What an INI file says: values by section and key. Keys before the first header are in the section ''.
const yes = ['true', 'yes', 'on', '1']
const no = ['false', 'no', 'off', '0']

export class IniDocument {
  private readonly sections = new Map<string, Map<string, string>>()

  sectionNames(): string[] {
    return [...this.sections.keys()].filter((name) => name !== '')
  }

  entries(section: string): [string, string][] {
    return [...(this.sections.get(normalise(section)) ?? [])]
  }

  addSection(section: string): void {
    const name = normalise(section)
    if (!this.sections.has(name)) this.sections.set(name, new Map())
  }

  get(section: string, key: string): string | undefined {
    return this.sections.get(normalise(section))?.get(normalise(key))
  }

  set(section: string, key: string, value: string): void {
    this.addSection(section)
    this.sections.get(normalise(section))?.set(normalise(key), value)
  }

  // A section that has lost its last key goes too.
  remove(section: string, key: string): boolean {
    const values = this.sections.get(normalise(section))
    if (!values?.delete(normalise(key))) return false
    if (values.size === 0) this.sections.delete(normalise(section))
    return true
  }

  number(section: string, key: string, fallback: number): number {
    const text = this.get(section, key)
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (Number.isNaN(value)) throw new TypeError(`${section}.${key} is no number: ${text}`)
    return value
  }

  flag(section: string, key: string, fallback: boolean): boolean {
    const text = this.get(section, key)?.toLowerCase()
    if (text === undefined) return fallback
    if (yes.includes(text)) return true
    if (no.includes(text)) return false
    throw new TypeError(`${section}.${key} is neither yes nor no: ${text}`)
  }

  list(section: string, key: string): string[] {
    const text = this.get(section, key) ?? ''
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }

  // A new document; where both have a value the other one wins.
  merge(other: IniDocument): IniDocument {
    const merged = new IniDocument()
    for (const source of [this, other]) {
      for (const [section, values] of source.sections) {
        merged.addSection(section)
        for (const [key, value] of values) merged.set(section, key, value)
      }
    }
    return merged
  }
}

function normalise(name: string): string {
  return name.trim().toLowerCase()
}
