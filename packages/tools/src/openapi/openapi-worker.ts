import { parentPort, workerData } from 'node:worker_threads'
import { type DocumentSource, readOperations } from './read-operations.ts'

const source: DocumentSource = workerData
parentPort?.postMessage(readOperations(source))
