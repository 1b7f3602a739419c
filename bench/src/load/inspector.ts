/** The memory of a process, in bytes. */
export interface MemorySample {
  /** Resident memory, excluding the database unless it is embedded. */
  resident: number
  /** Live JavaScript objects, after a garbage collection. */
  heap: number
  /** Buffers outside the JavaScript heap, including the memory of an embedded database. */
  external: number
}

/** The inspector of a Node process started with `--inspect`. Disposing disconnects from it. */
export interface Inspector extends Disposable {
  /** Collects garbage, then measures the remaining memory. */
  heap(): Promise<{ heap: number; external: number }>
}

/** Connects to the inspector on a port of 127.0.0.1. */
export async function openInspector(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let id = 0
  const call = (method: string) =>
    new Promise<Record<string, number>>((resolve, reject) => {
      id += 1
      const mine = id
      const onMessage = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data))
        if (answer.id !== mine) return
        socket.removeEventListener('message', onMessage)
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`))
        else resolve(answer.result)
      }
      socket.addEventListener('message', onMessage)
      socket.send(JSON.stringify({ id: mine, method }))
    })
  return {
    async heap() {
      await call('HeapProfiler.collectGarbage')
      const { usedSize = 0, backingStorageSize = 0 } = await call('Runtime.getHeapUsage')
      return { heap: usedSize, external: backingStorageSize }
    },
    [Symbol.dispose]: () => socket.close(),
  }
}
