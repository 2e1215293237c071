// Reading a form: its texts become what the daemon takes, or a sentence about what is wrong with them.

export type FormRead<T> =
  | { readonly is: 'ready'; readonly value: T }
  | { readonly is: 'wrong'; readonly why: string }

/** The text of each field by its name; a field that is not there is empty. */
export interface TypedFields {
  text(name: string): string
  isTicked(name: string): boolean
}

export function fieldsIn(data: FormData): TypedFields {
  return { text: (name) => String(data.get(name) ?? ''), isTicked: (name) => data.has(name) }
}

interface FormIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

interface FormSchema<T> {
  safeParse(
    values: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly FormIssue[] } }
}

/** `what` names the whole form where the schema does not say which field is wrong. */
export function parseForm<T>(schema: FormSchema<T>, values: object, what: string): FormRead<T> {
  const read = schema.safeParse(values)
  if (read.success) return { is: 'ready', value: read.data }
  const [issue] = read.error.issues
  return { is: 'wrong', why: `${issue?.path.join('.') ?? what}: ${issue?.message ?? 'is not right'}` }
}

export function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text
}
