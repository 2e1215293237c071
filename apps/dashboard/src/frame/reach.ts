// Shows notifications of the browser, takes back what is settled, and does what their buttons say.

import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { type BrowserNotice, type NoticeData, pressedMeans } from './reach.model.ts'

const WORKER = './notify.js'

export interface Reach {
  tell(notice: BrowserNotice): void
  /** Takes a notification away whose entry is settled. */
  settle(tag: string): void
  end(): void
}

/** A browser's own kind of text, where it wants to know which code may name a script. */
interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

const policies = (globalThis as { readonly trustedTypes?: ScriptPolicies }).trustedTypes
const policy = policies?.createPolicy('treadle-notify', { createScriptURL: () => WORKER })

export function openReach(live: Live): Reach {
  const worker = registered()
  const onMessage = ({ data }: MessageEvent) => {
    if (isPressed(data)) void perform(live, data.pressed, data.data)
  }
  const heard = 'serviceWorker' in navigator ? navigator.serviceWorker : null
  heard?.addEventListener('message', onMessage)
  heard?.startMessages()
  return {
    tell: (notice) => void worker.then((known) => show(known, notice, live)),
    settle: (tag) => void worker.then((known) => close(known, tag)),
    end: () => heard?.removeEventListener('message', onMessage),
  }
}

/** Null where workers are not to be had; notifications have no buttons then. */
async function registered(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER)
    return await navigator.serviceWorker.ready
  } catch {
    // Private windows may forbid workers.
    return null
  }
}

async function show(
  worker: ServiceWorkerRegistration | null,
  notice: BrowserNotice,
  live: Live,
): Promise<void> {
  const { title, body, tag, buttons, data } = notice
  // The buttons are known to browsers, not yet to the types.
  const options = { body, tag, data, actions: buttons } as NotificationOptions
  try {
    if (worker !== null) return await worker.showNotification(title, options)
  } catch {
    // The permission may have been withdrawn a moment ago; then the next line fails in silence as well.
  }
  const shown = new Notification(title, { body, tag })
  shown.onclick = () => {
    void perform(live, 'open', data)
    shown.close()
  }
}

async function close(worker: ServiceWorkerRegistration | null, tag: string): Promise<void> {
  for (const shown of (await worker?.getNotifications({ tag })) ?? []) shown.close()
}

interface PressedMessage {
  readonly pressed: string
  readonly data: NoticeData
}

function isPressed(value: unknown): value is PressedMessage {
  return typeof value === 'object' && value !== null && 'pressed' in value && 'data' in value
}

async function perform(live: Live, action: string, data: NoticeData): Promise<void> {
  const means = pressedMeans(action, data)
  if (means.is === 'answer') {
    const { question: id, text } = means
    const problem = await problemOf(live.client.answerQuestion({ params: { id }, body: { text } }))
    void live.refresh()
    if (problem === null) return
  }
  window.focus()
  location.hash = means.href
}
