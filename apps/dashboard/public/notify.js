// Notifications with buttons need a worker: it closes what was pressed and hands it to the page, which knows what to do.
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('notificationclick', (event) => event.waitUntil(pressed(event.notification, event.action)))

async function pressed(notification, action) {
  const { data } = notification
  notification.close()
  const [page] = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (page === undefined) return clients.openWindow(data.href)
  page.postMessage({ pressed: action, tag: notification.tag, data })
  // An answer is given from where the reader is; everything else wants the page.
  if (data.answers === undefined || data.answers[action] === undefined)
    await page.focus().catch(() => undefined)
}
