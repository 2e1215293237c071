// Who has read a change, in words: the engine, its model, and whether that is the one that wrote it.

export interface Reader {
  readonly engine: string
  readonly model?: string | undefined
}

export function readerWords({ engine, model }: Reader, writtenWith: readonly string[]): string {
  if (model === undefined) return engine
  const same = writtenWith.includes(model) ? ', the model that wrote it' : ''
  return `${engine} (${model}${same})`
}
