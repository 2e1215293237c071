export type Path = readonly (string | number)[]
export type Problem = { path: Path; message: string }
export type Checked<T> = { is: 'ok'; value: T } | { is: 'bad'; problems: Problem[] }

// A check gets anything and gives back either a value of its type or all that is wrong with it.
export type Check<T> = (input: unknown, path?: Path) => Checked<T>

export function ok<T>(value: T): Checked<T> {
  return { is: 'ok', value }
}

export function bad<T>(path: Path, message: string): Checked<T> {
  return { is: 'bad', problems: [{ path, message }] }
}

export function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text === '' ? 'the form' : text
}

// One line for each place, in the order in which the places were met.
export function report(problems: readonly Problem[]): string[] {
  const byPlace = new Map<string, string[]>()
  for (const { path, message } of problems) {
    const place = pathText(path)
    byPlace.set(place, [...(byPlace.get(place) ?? []), message])
  }
  return [...byPlace].map(([place, messages]) => `${place}: ${messages.join('; ')}`)
}
