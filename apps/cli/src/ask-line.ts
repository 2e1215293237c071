// One line from whoever sits at the terminal.
import { createInterface } from 'node:readline/promises'

/** The line that is typed; the end of the input is an empty one. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((done) => lines.once('close', () => done('')))
  try {
    return (await Promise.race([lines.question(question), ended])).trim()
  } finally {
    lines.close()
  }
}
