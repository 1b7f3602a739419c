/** Calls the API with the key of the organization, and returns the response text. */
export type Send = (method: string, path: string, body?: object) => Promise<string>
