// `npm run dev`: the daemon on this repository; `node --watch` starts this file again after each change.
import { pathToFileURL } from 'node:url'
import { buildParts } from './build.ts'

await buildParts({ ifStale: true })
const { main } = await import(pathToFileURL('apps/cli/src/main.ts').href)
process.exitCode = await main(['up'])
