// The keyrings of the kernel are no files and in no namespace: a filter of system calls shuts them off.

/** add_key, request_key and keyctl have other numbers on each architecture. */
const ARCHITECTURES = [
  { audit: 0xc000003e, calls: [248, 249, 250] }, // x86_64
  { audit: 0x40000003, calls: [286, 287, 288] }, // i386, which a kernel for x86_64 also runs
  { audit: 0xc00000b7, calls: [217, 218, 219] }, // aarch64
  { audit: 0x40000028, calls: [309, 310, 311] }, // arm
  { audit: 0xc00000f3, calls: [217, 218, 219] }, // riscv64
]
const LOAD = 0x20
const AND = 0x54
const JUMP_IF_EQUAL = 0x15
const RETURN = 0x06
const ARCHITECTURE_AT = 4
const NUMBER_AT = 0
const WITHOUT_X32 = 0xbfffffff
const ALLOW = 0x7fff0000
const NO_SUCH_CALL = 0x00050026

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number]

/** A program for seccomp: those three calls answer ENOSYS, everything else is allowed. */
export function keyringFilter(): Buffer {
  const program: Instruction[] = [[LOAD, 0, 0, ARCHITECTURE_AT]]
  for (const { audit, calls } of ARCHITECTURES) {
    program.push([JUMP_IF_EQUAL, 0, calls.length + 4, audit])
    program.push([LOAD, 0, 0, NUMBER_AT], [AND, 0, 0, WITHOUT_X32])
    for (const [i, call] of calls.entries()) program.push([JUMP_IF_EQUAL, calls.length - i, 0, call])
    program.push([RETURN, 0, 0, ALLOW], [RETURN, 0, 0, NO_SUCH_CALL])
  }
  program.push([RETURN, 0, 0, ALLOW])
  const bytes = Buffer.alloc(program.length * 8)
  for (const [i, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8)
    bytes.writeUInt8(whenTrue, i * 8 + 2)
    bytes.writeUInt8(whenFalse, i * 8 + 3)
    bytes.writeUInt32LE(value, i * 8 + 4)
  }
  return bytes
}
