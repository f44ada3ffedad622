/** Whether the browser has notifications and the person allowed them for this site. */
export const mayNotify = (): boolean => globalThis.Notification?.permission === 'granted'

/**
 * Asks the person to allow notifications; call it from a click, browsers want one. The kit never asks by itself
 * (DESIGN 5.9). Resolves to whether they are allowed; false, too, where there are none. Never rejects.
 */
export async function askForNotifications(): Promise<boolean> {
  try {
    await globalThis.Notification?.requestPermission()
  } catch {
    // An insecure page or a foreign frame may not ask, which is a no.
  }
  return mayNotify()
}
