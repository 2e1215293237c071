/** A problem in words, said aloud where it came up; nothing where there is none. */
export function Problem({ text, id }: { text: string | null; id?: string }) {
  if (text === null) return null
  return (
    <p id={id} className="wrong" role="alert">
      {text}
    </p>
  )
}
