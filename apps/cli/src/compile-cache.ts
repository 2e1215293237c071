// Compiled code that Node keeps for the next start: a process that is told so by its environment reads even its first file and
// its threads from there, and need not load the compiler of types.
import { fileURLToPath } from 'node:url'

export const COMPILED = fileURLToPath(new URL('../../../.cache/compile', import.meta.url))
