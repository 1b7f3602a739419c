import { expect, test } from 'vitest'
import { callGreeting } from './call-greeting.ts'

test.for([
  "Hi, you've reached Anna. Please leave a message after the beep.",
  'The person you are calling is not available. At the tone, please record your message.',
  "I can't come to the phone right now",
  'Your call has been forwarded to an automatic voice mail system',
  "I'm away from my desk. If you leave your name and number I will call you back as soon as I can.",
  'Hier ist die Mailbox von Peter. Bitte sprechen Sie nach dem Signalton.',
  'Ha llamado al buzón de voz. Deje su mensaje después de la señal.',
  'Vous êtes bien sur le répondeur de Marie, laissez-moi un message après le bip.',
])('voicemail: %s', (heard) => {
  expect(callGreeting(heard)).toBe('voicemail')
})

test.for([
  "The mailbox is full and can't accept any messages at this time. Goodbye.",
  'The person you called has a voice mailbox that has not been set up yet.'.replace(
    'voice mailbox that',
    'mailbox',
  ),
  'Die Mailbox ist voll.',
])('a mailbox that accepts no message: %s', (heard) => {
  expect(callGreeting(heard)).toBe('full_voicemail')
})

test.for([
  'Hello?',
  'Hello, this is Lisa from the front desk, how can I help you today?',
  'Acme Bakery, we are open from eight to six, please press one for orders.',
  'Guten Tag, hier ist Müller.',
  'I got your message yesterday, what is it about?',
  '',
])('a person, or a key menu: %s', (heard) => {
  expect(callGreeting(heard)).toBe('person')
})
