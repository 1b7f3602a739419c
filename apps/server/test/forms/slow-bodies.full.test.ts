import { connect } from 'node:net'
import { seedForm } from '@troupe/test-kit/seed-form'
import { expect, test } from 'vitest'
import { startFormServer } from './form-setting.ts'

test('a body sent byte by byte is aborted, on the page, the API and uploads', async () => {
  await using server = await startFormServer()
  const { token } = await seedForm(server.context, {
    organizationId: server.seed.organizationId,
    fields: [{ name: 'cv', label: 'CV', type: 'file' }],
  })
  const { hostname, port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const drip = (path: string, type: string, beginning: string) =>
    new Promise<{ seconds: number; answer: string }>((resolve) => {
      const from = performance.now()
      const socket = connect(Number(port), hostname)
      let answer = ''
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${beginning}`,
      )
      const timer = setInterval(() => socket.write('a'), 500)
      socket.on('data', (bytes) => {
        answer += bytes
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(timer)
        resolve({ seconds: (performance.now() - from) / 1000, answer })
      })
    })
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const cut = await Promise.all([
    drip(`/forms/${token}`, 'application/x-www-form-urlencoded', 'name='),
    drip(`/api/v1/forms/${token}/submit`, 'application/json', '{"name": "'),
    drip(`/api/v1/forms/${token}/upload?field=cv`, 'multipart/form-data; boundary=b', part),
  ])
  for (const { seconds, answer } of cut) {
    expect(seconds).toBeLessThan(45)
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/)
  }
})
