import { stopKeeping } from '../storage/browser-database.ts'

const channel = new BroadcastChannel('troupe-session')

// Whoever signs out leaves nothing to be read, and the other tabs show and keep as much as this one.
channel.onmessage = () => {
  stopKeeping()
  window.location.assign('/')
}

/** Tells the other tabs of this browser that the person has signed out. */
export function tellSignOut(): void {
  channel.postMessage('signed-out')
}
