// From the moment an event is posted to the moment a browser has painted its words.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Work } from '../../scenarios/kit/hand-agent.ts'
import { nowMs, type Posted, startStream } from './stream.ts'

interface Painted {
  readonly agent: number
  readonly n: number
  readonly at: number
}

// A frame that follows a change is painted when a task that was posted in it runs.
const WATCH = (selector: string) => `(() => {
  globalThis.paints = []
  globalThis.blockedMs = 0
  const newest = new Map()
  let isAsked = false
  const look = () => {
    isAsked = false
    const fresh = []
    for (const element of document.querySelectorAll('${selector}'))
      for (const [, agent, n] of element.textContent.matchAll(/mark-(\\d+)-(\\d+)-/g)) {
        if (Number(n) <= (newest.get(agent) ?? 0)) continue
        newest.set(agent, Number(n))
        fresh.push({ agent: Number(agent), n: Number(n) })
      }
    if (fresh.length === 0) return
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      const at = performance.timeOrigin + performance.now()
      for (const each of fresh) paints.push({ ...each, at })
      port1.close()
    }
    port2.postMessage(null)
  }
  new MutationObserver(() => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(look)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blockedMs += duration
  }).observe({ type: 'longtask' })
})()`

export interface PaintRun {
  /** The page that is looked at, already open. */
  readonly page: Page
  /** The elements that hold the words. */
  readonly selector: string
  /** The only agent whose words are looked for; left out: all of them. */
  readonly agent?: number
  readonly works: readonly Work[]
  readonly everyMs: number
  readonly forMs: number
  /** The last mark of the run before. */
  readonly from: number
  readonly daemonPid: number
}

export interface PaintMeasure {
  /** Of each event, in milliseconds. An event that another of its agent overtook is painted with that one. */
  readonly delays: readonly number[]
  /** Events that were never painted. */
  readonly lost: number
  readonly eventsPerSecond: number
  /** Of the time, as a share: the page could answer nobody. */
  readonly blocked: number
  /** Of the time, as a share: the daemon computed. */
  readonly daemonBusy: number
  /** Readings of all items. */
  readonly boards: number
  /** Requests of the page, and what their answers weighed. */
  readonly requests: number
  readonly kilobytes: number
  readonly last: number
}

/** For the last words to come. */
const REST_MS = 3_000

export async function measurePaint(run: PaintRun): Promise<PaintMeasure> {
  const { page, works, everyMs, forMs, from } = run
  const asked: string[] = []
  let bytes = 0
  const onResponse = async (response: Awaited<ReturnType<Page['waitForResponse']>>) => {
    asked.push(new URL(response.url()).pathname)
    bytes += (await response.body().catch(() => Buffer.alloc(0))).length
  }
  await page.evaluate(WATCH(run.selector))
  page.on('response', onResponse)
  const began = { at: nowMs(), cpu: cpuMs(run.daemonPid) }
  const stream = startStream(works, everyMs, from)
  await page.waitForTimeout(forMs)
  await stream.stop()
  const tookMs = nowMs() - began.at
  const cpu = cpuMs(run.daemonPid) - began.cpu
  const blockedMs = await page.evaluate<number>('blockedMs')
  page.off('response', onResponse)
  await page.waitForTimeout(REST_MS)
  const paints = await page.evaluate<Painted[]>('paints')
  const wanted = stream.posted.filter(({ agent }) => run.agent === undefined || agent === run.agent)
  const delays = wanted.flatMap((event) => delayOf(event, paints))
  return {
    delays,
    lost: wanted.length - delays.length,
    eventsPerSecond: (1_000 * stream.posted.length) / tookMs,
    blocked: blockedMs / tookMs,
    daemonBusy: cpu / tookMs,
    boards: asked.filter((path) => path === '/api/board').length,
    requests: asked.length,
    kilobytes: bytes / 1_000,
    last: Math.max(...stream.posted.map(({ n }) => n)),
  }
}

function delayOf({ agent, n, at }: Posted, paints: readonly Painted[]): number[] {
  const found = paints.find((paint) => paint.agent === agent && paint.n >= n)
  return found === undefined ? [] : [found.at - at]
}

const TICKS_PER_SECOND = 100

/** What a process has computed so far; of a process of another system nothing is known. */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (1_000 * (Number(fields[11]) + Number(fields[12]))) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}
