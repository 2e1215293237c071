// The database's WASM in compiled form, kept between starts. Compiling it anew costs each start two seconds of
// processor time and, for one function of 100 KB, 600 MB of memory for a while.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'

/** A module that V8 has compiled. */
type Compiled = object
/** As much of it as is used here: Node has no types for it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => Compiled
  compile(bytes: Uint8Array): Promise<Compiled>
}

const HASH_BYTES = 32

function wasmBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

export function compileWasm(): Promise<Compiled> {
  return WebAssembly.compile(wasmBytes())
}

/**
 * The compiled module; null if there is none, if it is damaged, or if V8 does not take it; then it is compiled as
 * ever.
 */
export function readCompiled(file: string): Compiled | null {
  const payload = readWhole(file)
  if (payload === null) return null
  const module = callNative('(code, wasm) => %DeserializeWasmModule(code, wasm)', [payload, wasmBytes()])
  return module instanceof WebAssembly.Module ? module : null
}

/** Writes for readCompiled(). Ends the process where V8 cannot do it: only for a process of its own. */
export function writeCompiled(module: Compiled): Uint8Array {
  const payload = new Uint8Array(
    callNative('(module) => %SerializeWasmModule(module)', [module]) as ArrayBuffer,
  )
  return Buffer.concat([hashOf(payload), payload])
}

/** V8 trusts the code that it is given, so no bit of it may have changed. */
function readWhole(file: string): ArrayBuffer | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return null
  }
  const payload = Uint8Array.from(bytes.subarray(HASH_BYTES))
  return hashOf(payload).equals(bytes.subarray(0, HASH_BYTES)) ? payload.buffer : null
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

const TRIES_MAX = 50

/**
 * Node has no other way to V8's cache of compiled WASM. The names are understood only while the flag is set, and it is
 * one for all threads of the process: another that opens a database may take it away in between. Then it is tried again.
 */
function callNative(source: string, given: readonly unknown[]): unknown {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    setFlagsFromString('--allow-natives-syntax')
    try {
      return (runInThisContext(source) as (...given: readonly unknown[]) => unknown)(...given)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    } finally {
      setFlagsFromString('--no-allow-natives-syntax')
    }
  }
  return null
}
