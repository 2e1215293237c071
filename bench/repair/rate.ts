// One search as a process of its own, so that its start-up can be timed from outside.
// Usage: node bench/repair/rate.ts <folder> <test command> <workers> <candidates at most> <seconds at most>
import { asMade, probeFolder, tryEdits } from './probe.ts'

const [root = '', testCommand = '', ...bounds] = process.argv.slice(2)
const [workers = 1, candidatesMax = 1, secondsMax = 1] = bounds.map(Number)
const tried = await probeFolder(root, testCommand, (probe) =>
  tryEdits(probe, { order: asMade, workers, candidatesMax, secondsMax, until: 'all_tried' }),
)
process.stdout.write(JSON.stringify(tried))
