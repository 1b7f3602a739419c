import { parentPort, workerData } from 'node:worker_threads'
import { readBundle } from './read-bundle.ts'
import type { Variables } from './variables.ts'

/** The input of the worker thread. */
export interface ReadRequest {
  text: string
  variables: Variables
}

const { text, variables }: ReadRequest = workerData
const { organizations, lines, problems } = readBundle(text, variables)
parentPort?.postMessage({ organizations, lines: lines.entries, problems })
