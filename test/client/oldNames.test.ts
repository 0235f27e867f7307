import { inspect } from 'node:util'
import { createHeadClient } from '../../src/client/index.js'
import { startDevNode } from '../../src/devnode/index.js'
import { DepositExpiredError } from '../../src/errors/client.js'
import { ChainCliWallet } from '../../src/wallet/index.js'
import { isLayerError } from '../../src/errors/base.js'
import { OLD_NAMES } from '../../src/errors/oldNames.js'
import type { RenamedError } from '../../src/errors/renamed.js'

const client = createHeadClient({ url: 'ws://127.0.0.1:1' })

function thrownBy(call: () => unknown): RenamedError {
  try {
    call()
  } catch (error) {
    if (isLayerError(error, 'API_RENAMED')) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('an old name of a client', () => {
  it.each(Object.entries(OLD_NAMES.client))('%s() rejects and names %s()', async (old, now) => {
    const call = (client as unknown as Record<string, () => Promise<never>>)[old]!
    const error = await call().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'API_RENAMED', oldName: `${old}()`, newName: `${now}()` })
    expect((error as Error).message.split('\n')[0]).toBe(`${old}() is ${now}() now.`)
    expect(typeof (client as unknown as Record<string, unknown>)[now]).toBe('function')
  })

  it('is not enumerable', () => {
    expect(Object.keys(client)).not.toEqual(expect.arrayContaining(['close']))
    expect({ ...client }).not.toHaveProperty('close')
  })
})

describe('an old property of a bridge', () => {
  it.each(Object.entries(OLD_NAMES.bridge))('%s throws and names %s', (old, now) => {
    const { bridge } = client
    const error = thrownBy(() => (bridge as unknown as Record<string, unknown>)[old])
    expect(error).toMatchObject({ oldName: old, newName: now })
    expect(now in bridge).toBe(true)
    expect(Object.keys(bridge)).not.toContain(old)
  })
})

describe.each([
  ['head.status()', OLD_NAMES.status, () => client.status()],
  ['bridge.getSnapshot()', OLD_NAMES.snapshot, () => client.bridge.getSnapshot()],
  ['DepositExpiredError', OLD_NAMES.deposit, () => new DepositExpiredError('00'.repeat(32), null)]
])('an old member of %s', (_, names, make) => {
  it.each(Object.entries(names))('%s throws and names %s', (old, now) => {
    const value = make() as object
    expect(thrownBy(() => (value as Record<string, unknown>)[old])).toMatchObject({ oldName: old, newName: now })
    expect(now in value).toBe(true)
    expect(Object.keys(value)).not.toContain(old)
    expect(JSON.stringify(value)).not.toContain(`"${old}"`)
    expect(() => inspect(value, { showHidden: true, getters: false })).not.toThrow()
  })
})

describe('the deadline of a deposit', () => {
  it('throws as an argument and when it is read from a result, with the new names', async () => {
    await using node = await startDevNode({ port: 0 })
    const [alice] = node.keys
    await using head = createHeadClient({
      url: node.url,
      wallet: new ChainCliWallet({ networkId: 0, skey: alice!.skey })
    })
    await head.connect()
    await head.open()
    const error = await head.deposit({ amount: 1n, deadline: 1 } as never).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ oldName: 'deposit({ deadline })', newName: 'deposit({ expiresAt })' })
    const result = await head.deposit({ utxos: node.baseUtxos(alice!.address), amount: 10_000_000n })
    expect(thrownBy(() => (result as unknown as Record<string, unknown>)['deadline']).newName).toBe('recoverableAt')
    expect(result.recoverableAt).toBeGreaterThan(0)
  })
})

describe('arguments that became one object', () => {
  const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
  const callback = (): void => undefined
  it.each([
    ['getBalance', address, 'getBalance({ address })'],
    ['getUtxos', address, 'getUtxos({ address })'],
    ['watchBalance', callback, 'watchBalance({ onChange })'],
    ['watchHead', callback, 'watchHead({ onChange })'],
    ['watchTxs', callback, 'watchTxs({ onChange })']
  ] as const)('%s called with a bare value names the member, and does not repeat the value', (name, value, newName) => {
    const error = thrownBy(() => (client[name] as (value: unknown) => unknown)(value))
    expect(error.newName).toBe(newName)
    expect(error.message).not.toContain(address)
  })
})
