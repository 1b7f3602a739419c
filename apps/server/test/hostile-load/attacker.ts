// A process that attacks a server in one way, between the messages `true` and `false`.
import { ATTACKS, type AttackTarget, EVERY_MS } from './attacks.ts'
import { ownClock } from './thread-time.ts'

const [name = '', json = '', offsetMs = ''] = process.argv.slice(2)
const target: AttackTarget = JSON.parse(json)
const attack = Object.entries(ATTACKS).find(([known]) => known === name)?.[1]
if (!attack) throw new Error(`there is no attack ${name}`)
const now = ownClock(target.pid)
let attacks = false
let dueAt = 0
process.on('message', (message) => {
  attacks = message === true
  dueAt = now() + Number(offsetMs)
})

for (;;) {
  if (attacks && now() >= dueAt) {
    dueAt += EVERY_MS
    const startedAt = performance.now()
    const status = await attack(target).catch((error: unknown) => String(error))
    process.send?.({ name, status, ms: performance.now() - startedAt })
  }
  await new Promise((resolve) => setTimeout(resolve, 10))
}
