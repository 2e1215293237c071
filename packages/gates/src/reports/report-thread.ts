// The thread that reads one report and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { type ReportText, readNow } from './read-apart.ts'

parentPort?.postMessage(readNow(workerData as ReportText))
