// Where the owner's key is: in the user's configuration folder, never in the workspace. Whatever runs foreign code
// keeps this folder out of its sight.

/** Names the owner's key file of scripts and CI. It is taken out of the environment of every child. */
export const OWNER_KEY_FILE = 'TREADLE_OWNER_KEY_FILE'
/** Names the configuration folder of Treadle, in the place of the user's own. */
export const CONFIG_HOME = 'TREADLE_CONFIG_HOME'

const KEY_CHARS_MIN = 32

export interface OwnerKeyPlace {
  readonly folder: string
  readonly file: string
  /** What no sandbox may show: the folder, and the file if it is somewhere else. */
  readonly hidden: readonly string[]
}

/** The place of the owner's key. A relative path would mean another place in every folder, so it counts for nothing. */
export function ownerKeyPlace(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): OwnerKeyPlace {
  const folder = absolute(env[CONFIG_HOME]) ?? `${absolute(env.XDG_CONFIG_HOME) ?? `${home}/.config`}/treadle`
  const own = absolute(env[OWNER_KEY_FILE])
  return { folder, file: own ?? `${folder}/owner.key`, hidden: own === null ? [folder] : [folder, own] }
}

const NAME_CHARS = 80

/** The file with the key that signs the merges of a workspace, beside the owner's key: hidden from whatever is confined. */
export function signingKeyFile({ folder }: Pick<OwnerKeyPlace, 'folder'>, root: string): string {
  const name = root.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(-NAME_CHARS)
  // Two folders may come to the same name; the number tells them apart.
  let number = 0
  for (const letter of root) number = (Math.imul(number, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return `${folder}/signing/${name}-${number.toString(16)}.key`
}

/** The key in the text of its file; null if that holds none. */
export function ownerKeyIn(text: string): string | null {
  const key = text.trim()
  return key.length >= KEY_CHARS_MIN && /^[A-Za-z0-9._~-]+$/.test(key) ? key : null
}

/** True if the key lies in the workspace, where whatever runs in there may come upon it. */
export function isInside(root: string, { hidden }: Pick<OwnerKeyPlace, 'hidden'>): boolean {
  return hidden.some((path) => path === root || path.startsWith(`${root}/`))
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && /^(\/|[A-Za-z]:\\)/.test(path) ? path.replace(/(?<=.)[/\\]+$/, '') : null
}
