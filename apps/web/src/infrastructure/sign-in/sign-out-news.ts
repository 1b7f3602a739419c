import { stopKeeping } from '../storage/browser-database.ts'

const channel = new BroadcastChannel('troupe-session')

// A sign-out must leave nothing readable, and the other tabs show and store as much as this one.
channel.onmessage = () => {
  stopKeeping()
  window.location.assign('/')
}

/** Notifies the other tabs of this browser that the user has signed out. */
export function tellSignOut(): void {
  channel.postMessage('signed-out')
}
