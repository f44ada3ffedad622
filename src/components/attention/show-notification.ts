export interface Shown extends NotificationOptions {
  readonly title: string
  readonly tag: string
}

/** Shows a notification and returns what closes it. A click on it brings the page to the front and does nothing else. */
export function showNotification({ title, ...options }: Shown): () => void {
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
    return () => notification.close()
  } catch {
    // Chrome on Android has the constructor and throws: https://crbug.com/481856
    return showByWorker(title, options)
  }
}

/** The same by the app's service worker, to which a click then belongs; nothing where the app has none. */
function showByWorker(title: string, options: Omit<Shown, 'title'>): () => void {
  let isClosed = false
  const show = async (): Promise<ServiceWorkerRegistration | undefined> => {
    const registration = await navigator.serviceWorker?.getRegistration()
    if (!isClosed) await registration?.showNotification(title, options)
    return registration
  }
  const shown = show().catch(() => undefined)
  const close = async (): Promise<void> => {
    const registration = await shown
    for (const notification of (await registration?.getNotifications({ tag: options.tag })) ?? []) notification.close()
  }
  return () => {
    isClosed = true
    close().catch(() => {})
  }
}
