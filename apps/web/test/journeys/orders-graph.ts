export const step = (id: string, name: string, more: object = {}) => {
  return { id, type: 'edit-fields', name, config: { rows: [{ name: 'n', value: '1' }] }, ...more }
}
export const edge = (source: string, target: string, sourceHandle = 'out') => {
  return { id: `${source}-${sourceHandle}-${target}`, source, sourceHandle, target }
}
export const isEqual = (left: string, right: string) => ({
  match: 'all',
  conditions: [{ left, op: 'eq', right }],
})

/** Orders one by one: the third one fails, because it has no price. */
export const ORDERS = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Orders come in', config: {} },
    {
      id: 'each',
      type: 'loop',
      name: 'Each order',
      config: { mode: 'list', source: '{{ trigger.orders }}' },
    },
    {
      id: 'large',
      type: 'if-else',
      name: 'Is it large?',
      parentId: 'each',
      config: isEqual('{{ loop.item.size }}', 'large'),
    },
    step('ask', 'Ask the warehouse', { parentId: 'each' }),
    step('price', 'Take the price', {
      parentId: 'each',
      config: { rows: [{ name: 'price', value: '{{ loop.item.price }}' }] },
    }),
    step('end', 'Send the list'),
    {
      id: 'note',
      type: 'note',
      name: 'Ask Eva about prices',
      config: { markdown: 'She knows **all** of them.' },
    },
  ],
  edges: [
    edge('start', 'each'),
    edge('each', 'large', 'body'),
    edge('large', 'ask', 'true'),
    edge('large', 'price', 'false'),
    edge('each', 'end', 'done'),
  ],
}

/** The third order has no price. */
export const ORDERS_OF_A_DAY = {
  orders: [{ size: 'large' }, { size: 'small', price: 3 }, { size: 'small' }],
}
