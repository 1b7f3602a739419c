import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { smtpMailer } from './smtp-mailer.ts'

let server: Server | null = null
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  if (server) await new Promise((resolve) => server?.close(resolve))
  server = null
})

/** A minimal SMTP server that records the messages it receives. */
async function mailServer(
  refuse: RegExp | null = null,
): Promise<{ url: string; told: string[]; mails: string[] }> {
  const told: string[] = []
  const mails: string[] = []
  server = createServer((socket) => {
    sockets.add(socket)
    let mail: string | null = null
    let rest = ''
    socket.write('220 test\r\n')
    socket.on('data', (bytes) => {
      rest += bytes.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (mail !== null) {
          if (line === '.') {
            mails.push(mail)
            mail = null
            socket.write('250 taken\r\n')
          } else mail += `${line}\n`
          continue
        }
        told.push(line)
        if (refuse?.test(line)) socket.write('550 no\r\n')
        else if (line === 'DATA') {
          mail = ''
          socket.write('354 go on\r\n')
        } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, told, mails }
}

test('a mail goes to its one address, with subject and text', async () => {
  const { url, told, mails } = await mailServer()
  await smtpMailer(url, 'Troupe <troupe@acme.test>').send({
    to: 'ana@acme.test',
    subject: 'Grüße',
    text: 'Hello\nhttps://troupe.test/x',
  })
  expect(told).toContain('MAIL FROM:<troupe@acme.test>')
  expect(told).toContain('RCPT TO:<ana@acme.test>')
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatch(/^From: Troupe <troupe@acme\.test>$/m)
  expect(mails[0]).toContain('https://troupe.test/x')
})

test('an address that looks like several, or like a header, reaches no other recipient', async () => {
  const { url, told, mails } = await mailServer()
  const mailer = smtpMailer(url, 'troupe@acme.test')
  for (const to of ['ana@acme.test, eve@evil.test', 'ana@acme.test\r\nBcc: eve@evil.test']) {
    await mailer.send({ to, subject: 'Hello\r\nBcc: eve@evil.test', text: 'x' }).catch(() => {})
  }
  expect(told.filter((line) => /^RCPT TO:<eve@evil\.test>/.test(line))).toEqual([])
  expect(mails.filter((mail) => /^Bcc:/m.test(mail))).toEqual([])
})

test('a refusal of the mail server is an error', async () => {
  const { url } = await mailServer(/^RCPT/)
  await expect(
    smtpMailer(url, 'troupe@acme.test').send({ to: 'ana@acme.test', subject: 'x', text: 'x' }),
  ).rejects.toThrow()
})
