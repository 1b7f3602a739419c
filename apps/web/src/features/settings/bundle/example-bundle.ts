/** A bundle that works in any organization: one agent and a team of it. */
export function exampleBundle(slug: string, name: string): string {
  return `apiVersion: troupe/v1
organizations:
  - slug: ${slug}
    name: ${JSON.stringify(name)}
    agents:
      - slug: greeter
        name: Greeter
        description: Says hello in the language of the guest.
        status: active
        config:
          instructions: Greet the guest warmly, in one sentence and in their language.
      - slug: concierge
        name: Concierge
        status: active
        config:
          instructions: Answer questions of hotel guests briefly. If you do not know, say so.
    teams:
      - slug: front-desk
        name: Front desk
        mode: handoff
        lead: { managed: { instructions: Hand over to the one who can help. } }
        members: [ { agent: greeter }, { agent: concierge } ]
`
}
