// Whether a text has all that it had before, in its order, and beside that only more of its own kind. Pure.

/** What may be added to a file without a word to what was there: imports, declarations, tests, comments. */
const adding =
  /^(?:import|from|export|async|function|class|interface|type|const|def|@|\/\/|\/\*|\*|#|"""|(?:describe|it|test|suite)\b)/

/** By what stands at the beginning of lines: a piece is such a line and all that is indented below it. */
export function isOnlyMore(before: string, after: string): boolean {
  const [was, is] = [piecesOf(before), piecesOf(after)]
  let at = 0
  const added: string[] = []
  for (const piece of is) {
    if (piece === was[at]) at += 1
    else added.push(piece)
  }
  return at === was.length && added.every((piece) => adding.test(piece))
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (const line of text.split('\n')) {
    const kept = line.trimEnd()
    if (kept === '') continue
    const isInner = /^(?:\s|[)\]}])/.test(kept)
    if (isInner && pieces.length > 0) pieces.push(`${pieces.pop()}\n${kept}`)
    else pieces.push(kept)
  }
  return pieces
}
