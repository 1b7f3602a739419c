import { freePort } from '@troupe/test-kit/free-port'
import { type Child, startChild, untilPrinted, untilReady } from './child.ts'
import { dataFolder, startTroupe, type Troupe } from './troupe.ts'

/** All servers compared by one benchmark, running side by side on one machine. */
export interface Setting extends AsyncDisposable {
  troupe: Troupe
  bareOrigin: string
}

/** Starts the model server, the bare routes and Troupe on the same kind of storage. */
export async function openSetting(databaseUrl: string | null): Promise<Setting> {
  const stack = new AsyncDisposableStack()
  try {
    const folder = stack.use(await dataFolder())
    const model = stack.use(startChild('bench/src/targets/model-server.ts', [], {}))
    const modelUrl = await untilPrinted(model, /model server at (\S+)/)
    const barePort = await freePort()
    const storage = databaseUrl ? `postgres:${databaseUrl}` : `pglite:${folder.path}/bare`
    const bare: Child = stack.use(
      startChild('bench/src/targets/bare-route.ts', [String(barePort), modelUrl, storage], {}),
    )
    const bareOrigin = `http://127.0.0.1:${barePort}`
    await untilReady(bare, `${bareOrigin}/ready`)
    const troupe = stack.use(await startTroupe({ folder: folder.path, modelUrl, databaseUrl }))
    return { troupe, bareOrigin, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
