// What people read of a reply while a model writes it.

/** A block for Treadle, which stands for no one else: begun with JSON in it, whole or still being written. */
const BLOCK = /(^|\n)```(?:json)?[ \t]*\r?\n\s*(?:[{[][\s\S]*?(?:\n```[^\n]*|$)|$)/gi
/** A fence of which nobody can say yet what it begins. */
const BEGUN = /(^|\n)`{1,3}\w*[ \t]*$/

/** The words of a reply so far without the block at its end; more of the reply only ever adds to them. */
export function spokenPart(text: string): string {
  if (/^\s*\{/.test(text)) return ''
  return text.replace(BLOCK, '$1').replace(BEGUN, '').trimEnd()
}
