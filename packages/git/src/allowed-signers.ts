// Lists of signers as ssh and git know them: a line for each key, with whose it is before it.
import { keyOfLine } from '@treadle/contracts/ssh-key'

export interface Signer {
  /** The principals of the line, as they are written. */
  readonly who: string
  readonly blob: string
  /** From when and until when the key counts; null: always. */
  readonly after: number | null
  readonly before: number | null
}

const LINE = /^("[^"]*"|\S+)\s+(.*)$/
const OPTION = /^([a-z-]+)(?:="([^"]*)")?(?:,|\s+)/i

/** Who may sign commits by the text of a list. Lines for other purposes, and for authorities, are left out. */
export function readSigners(text: string): Signer[] {
  return text.split('\n').flatMap((line) => {
    const [, principals = '', rest = ''] = LINE.exec(line.trim()) ?? []
    if (principals === '' || principals.startsWith('#')) return []
    const { options, key } = splitOptions(rest)
    const spaces = options.get('namespaces')?.split(',')
    if (key === null || options.has('cert-authority') || (spaces && !spaces.includes('git'))) return []
    const [after, before] = ['valid-after', 'valid-before'].map((name) => timeOf(options.get(name)))
    // A time that cannot be read must not make a key good for ever.
    if (after === undefined || before === undefined) return []
    return [{ who: principals.replaceAll('"', ''), blob: key.blob, after, before }]
  })
}

function splitOptions(text: string): {
  readonly options: ReadonlyMap<string, string>
  readonly key: ReturnType<typeof keyOfLine>
} {
  const options = new Map<string, string>()
  let rest = text
  while (keyOfLine(rest) === null) {
    const [whole, name = '', value = ''] = OPTION.exec(rest) ?? []
    if (whole === undefined) return { options, key: null }
    options.set(name.toLowerCase(), value)
    rest = rest.slice(whole.length)
  }
  return { options, key: keyOfLine(rest) }
}

/** A time such as 20260131, 202601311200 or 20260131120000Z in seconds; null: none was given; undefined: it is none. */
function timeOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return null
  const [, y, mo, d, h = '00', mi = '00', s = '00', zone = ''] =
    /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z?)$/.exec(text) ?? []
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${zone}`)
  return Number.isNaN(time) ? undefined : time / 1_000
}

/** Whose key it was when the commit was made, in seconds; null: nobody's on the list. */
export function signerOf(signers: readonly Signer[], blob: string, at: number): string | null {
  const signer = signers.find(
    (each) =>
      each.blob === blob &&
      (each.after === null || at >= each.after) &&
      (each.before === null || at < each.before),
  )
  return signer?.who ?? null
}
