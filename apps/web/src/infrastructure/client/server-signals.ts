import { createValueStore } from './value-store.ts'

/** Whether a call was refused because the session expired. The shell then asks for a sign-in, over the page. */
export const signedOut = createValueStore(false)

/** Whether the server has another build of the pages than this one. */
export const newBuild = createValueStore(false)

/** Counts refusals that a change of the user's membership would explain. The session is refetched after each. */
export const refusals = createValueStore(0)

export function noteRefusal(): void {
  refusals.set(refusals.get() + 1)
}

export function noteSignedOut(): void {
  signedOut.set(true)
}

let hasOtherPerson = false

/** Whether somebody else has signed in in this browser: this page must not send anything else, and is reloaded. */
export const isOtherPersons = () => hasOtherPerson

export function noteOtherPerson(): void {
  hasOtherPerson = true
}

/** Compares the build of a response with the build of this page; null: the response names none. */
export function noteBuild(build: string | null): void {
  const own = document.querySelector('meta[name="troupe-build"]')?.getAttribute('content')
  if (build !== null && own && !own.startsWith('__') && build !== own) newBuild.set(true)
}
