/** Work that may pause between its steps, each of which takes some milliseconds at most. */
export type Steps<T> = Generator<void, T>
