// How an agent reaches its daemon: plain HTTP over a connection that stays open, and for reports a line of their own,
// which costs no request for each. The platform's fetch takes nearly twice the processor time of plain HTTP.
import { Agent, request } from 'node:http'
import type { Reach, Request } from '@treadle/contracts/client'
import { ReportLine } from './report-line.ts'

const agent = new Agent({ keepAlive: true })
const REPORT = /^(http:\/\/[^/]+)\/api\/runs\/([\w-]+)\/events$/
/** How long nobody asks for a line again where one was refused. */
const REFUSED_MS = 60_000

/** The line to the daemon that was reported to last; another daemon, or another key, is another line. */
let line: { readonly to: string; readonly its: ReportLine } | null = null
let refused: { readonly to: string; readonly until: number } | null = null

export const reach: Reach = (url, asked) => {
  const report = asked.method === 'POST' ? REPORT.exec(url) : null
  if (report === null) return byRequest(url, asked)
  const [, origin = '', runId = ''] = report
  const open = lineTo(origin, asked.headers.authorization ?? '')
  return open === null ? byRequest(url, asked) : byLine(open, runId, asked)
}

async function byLine(open: ReportLine, runId: string, { body = '{}', signal }: Request) {
  const { status, text } = await open.send(runId, body, signal)
  return { status, text: async () => text }
}

/** The open line, if there is one; the first who asks goes by a request while it is opened. */
function lineTo(origin: string, authorization: string): ReportLine | null {
  const to = `${origin} ${authorization}`
  if (line?.to === to) return line.its.isOpen ? line.its : null
  if (refused?.to === to && performance.now() < refused.until) return null
  line?.its.close()
  const its = new ReportLine(origin, authorization, (wasOpen) => {
    if (!wasOpen) refused = { to, until: performance.now() + REFUSED_MS }
    if (line?.its === its) line = null
  })
  line = { to, its }
  return null
}

const byRequest: Reach = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const asked = request(url, { agent, method, headers: { ...headers, ...length }, signal }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        if (!answer.complete) return reject(new Error('the answer broke off'))
        const text = Buffer.concat(parts).toString('utf8')
        resolve({ status: answer.statusCode ?? 0, text: async () => text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
