// A reporter for node --test: one line of JSON for each test, with its file.
import type { TestEvent } from 'node:test/reporters'

export default async function* lines(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { file, name } = event.data
    // A file that could not be run at all is reported under its own path.
    yield `${JSON.stringify({ file: file ?? name, passed: event.type === 'test:pass' })}\n`
  }
}
