// What a check that ended otherwise has printed: the lines that matter, and whether it only lacks packages.

const linesMax = 12

/** The words of a check with the last lines that it printed below. */
export function withLines(words: string, tail: string): string {
  const lines = tail.split('\n').filter((line) => line.trim() !== '')
  return [words, ...lines.slice(-linesMax).map((line) => `| ${line.slice(0, 300)}`)].join('\n')
}

// Each names a package or a program, never a file of the project: those begin with a dot or a slash.
const signs: readonly RegExp[] = [
  /Cannot find package '([^'./][^']{0,200})'/,
  /Cannot find module '([^'./][^']{0,200})'/,
  /Cannot find module "([^"./][^"]{0,200})"/,
  /Failed to resolve import "([^"./][^"]{0,200})"/,
  /Could not resolve "([^"./][^"]{0,200})"/,
  /ModuleNotFoundError: No module named '([^']{1,200})'/,
  /No module named ([\w.]{1,200})$/m,
  /no required module provides package (\S{1,200})/,
  /(?:^|: )(?:\d+: )?([\w@./-]{1,100}): (?:command )?not found$/m,
]

/** A package or program that was not there, by what was printed; null if nothing says so. */
export function missingPackage(tail: string): string | null {
  for (const sign of signs) {
    const name = sign.exec(tail)?.[1]
    if (name !== undefined) return name
  }
  return null
}
