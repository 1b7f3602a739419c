import { createValueStore } from './value-store.ts'

/** Whether a call was refused because the sign-in ended. The shell asks to sign in again, over the page. */
export const signedOut = createValueStore(false)

/** Whether the server has another build of the pages than this one. */
export const newBuild = createValueStore(false)

/** Counts refusals that a change of the person's membership would explain. The session is asked again after each. */
export const refusals = createValueStore(0)

export function noteRefusal(): void {
  refusals.set(refusals.get() + 1)
}

export function noteSignedOut(): void {
  signedOut.set(true)
}

let hasOtherPerson = false

/** Whether somebody else has signed in in this browser: nothing of this page may be sent any more, and it is loaded anew. */
export const isOtherPersons = () => hasOtherPerson

export function noteOtherPerson(): void {
  hasOtherPerson = true
}

/** Compares the build that answered with the build of this page; null: the server did not say. */
export function noteBuild(build: string | null): void {
  const own = document.querySelector('meta[name="troupe-build"]')?.getAttribute('content')
  if (build !== null && own && !own.startsWith('__') && build !== own) newBuild.set(true)
}
