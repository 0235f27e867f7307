import { nearestName } from '../../src/codec/nearestName.js'

const KNOWN = ['amount', 'timeout', 'signal', 'utxos', 'to', 'depositTxId', 'all']

it.each([
  ['amonut', 'amount'],
  ['amout', 'amount'],
  ['amounts', 'amount'],
  ['Timeout', 'timeout'],
  ['uxtos', 'utxos'],
  ['deposittxid', 'depositTxId'],
  ['depositTx', 'depositTxId']
])('takes %s for %s', (name, meant) => {
  expect(nearestName(name, KNOWN)).toBe(meant)
})

it.each(['colour', 'tx', 'a', '', 'amountamount', 'x'.repeat(100_000)])('takes %.20s for no known name', (name) => {
  expect(nearestName(name, KNOWN)).toBeNull()
})

it('takes the nearest of several, and the first of those that are equally near', () => {
  expect(nearestName('watts', ['wait', 'watt'])).toBe('watt')
  expect(nearestName('walt', ['wait', 'watt'])).toBe('wait')
  expect(nearestName('name', [])).toBeNull()
})
