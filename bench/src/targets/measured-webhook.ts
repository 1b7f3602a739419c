/** The webhook of the benchmark: a workflow with only a trigger, so that only the endpoint is measured. */
export const HOOK = {
  id: '0b8f6f0e-6a55-4a8e-9c5e-0d5a5f3f7e11',
  token: 'token-of-the-benchmark-0123456789',
  signingSecret: 'whs_secret-of-the-benchmark-0123456789',
} as const

/** In the bundle format. */
export const HOOK_WORKFLOW = {
  slug: 'hook',
  id: HOOK.id,
  name: 'Hook',
  publish: true,
  webhook: { token: HOOK.token, signingSecret: HOOK.signingSecret },
  graph: { nodes: [{ id: 'hook', type: 'http-request', name: 'Hook', config: {} }], edges: [] },
}

/** One kilobyte of JSON, like a shop's order. */
export const HOOK_BODY = JSON.stringify({
  event: 'order.created',
  orderId: 'A-1001',
  lines: Array.from({ length: 12 }, (_, at) => ({
    sku: `SKU-${1_000 + at}`,
    quantity: at + 1,
    price: 9.5 + at,
  })),
  note: 'x'.repeat(360),
})
