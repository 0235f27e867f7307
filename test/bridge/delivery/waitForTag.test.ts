import { LayerBridge } from 'layer-sdk/bridge'
import type { CommandRefusedError } from 'layer-sdk'
import { FakeConnector } from '../../support/fakeConnector'
import { HEAD_ID } from '../../support/scriptedNode'

const ID = 'ab'.repeat(32)
const refusedBy = (promise: Promise<unknown>): Promise<CommandRefusedError> =>
  promise.then(
    () => {
      throw new Error('resolved')
    },
    (error: unknown) => error as CommandRefusedError
  )

describe('waitFor', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  const say = (message: Record<string, unknown>): void => {
    connector.last.say(message)
  }
  beforeEach(async () => {
    connector = new FakeConnector()
    bridge = new LayerBridge({ connector })
    const done = bridge.connect()
    connector.last.greet({ headStatus: 'Idle' })
    await done
  })
  afterEach(async () => {
    await bridge.disconnect()
  })

  const refusals: [string, (clientInput: unknown) => Record<string, unknown>][] = [
    ['CommandFailed', (clientInput) => ({ tag: 'CommandFailed', clientInput, state: { tag: 'Idle', contents: {} } })],
    ['RejectedInputBecauseUnsynced', (clientInput) => ({ tag: 'RejectedInputBecauseUnsynced', clientInput, drift: 5 })],
    [
      'SideLoadSnapshotRejected',
      (clientInput) => ({ tag: 'SideLoadSnapshotRejected', clientInput, requirementFailure: { tag: 'No' } })
    ],
    ['InvalidInput', (clientInput) => ({ reason: 'no', input: JSON.stringify(clientInput) })]
  ]

  it.each(refusals)('with orRefused rejects when %s refuses the command that it waits for', async (tag, refusal) => {
    const closed = bridge.waitFor('HeadIsClosed', { orRefused: true })
    bridge.commands.close()
    say(refusal({ tag: 'Close' }))
    expect(await refusedBy(closed)).toMatchObject({
      code: 'BRIDGE_COMMAND_REFUSED',
      command: 'Close',
      tag,
      allowedStates: ['Open']
    })
  })

  it.each([
    ['HeadIsOpen', 'Init'],
    ['HeadIsInitializing', 'Init'],
    ['HeadIsAborted', 'Abort'],
    ['HeadIsClosed', 'SafeClose'],
    ['ReadyToFanout', 'Close'],
    ['HeadIsContested', 'Contest'],
    ['HeadPartiallyFannedOut', 'PartialFanout'],
    ['HeadIsFinalized', 'Fanout'],
    ['HeadIsFinalized', 'PartialFanout'],
    ['SnapshotSideLoaded', 'SideLoadSnapshot'],
    ['GetUTxOResponse', 'GetUTxO']
  ] as const)('with orRefused knows that %s comes of %s', async (tag, command) => {
    const wait = bridge.waitFor(tag, { orRefused: true })
    say({ tag: 'CommandFailed', clientInput: { tag: command } })
    expect((await refusedBy(wait)).command).toBe(command)
  })

  it.each([
    ['TxValid', { tag: 'NewTx', transaction: { txId: ID } }],
    ['SnapshotConfirmed', { tag: 'NewTx', transaction: { txId: ID } }],
    ['DecommitRequested', { tag: 'Decommit', decommitTx: { txId: ID } }],
    ['DecommitApproved', { tag: 'Decommit', decommitTx: { txId: ID } }],
    ['DecommitFinalized', { tag: 'Decommit', decommitTx: { txId: ID } }],
    ['CommitRecovered', { tag: 'Recover', recoverTxId: ID }]
  ] as const)('with orRefused knows the input that brings %s about', async (tag, clientInput) => {
    const wait = bridge.waitFor(tag, { orRefused: true })
    say({ tag: 'CommandFailed', clientInput })
    expect((await refusedBy(wait)).command).toBe(clientInput.tag)
  })

  it('with orRefused rejects when the head refuses a decommit', async () => {
    const approved = bridge.waitFor('DecommitApproved', { orRefused: true })
    say({
      tag: 'DecommitInvalid',
      headId: HEAD_ID,
      decommitTx: { txId: ID },
      decommitInvalidReason: { tag: 'DepositInFlight' }
    })
    expect(await refusedBy(approved)).toMatchObject({
      command: 'Decommit',
      tag: 'DecommitInvalid',
      reason: 'DepositInFlight'
    })
  })

  it('with orRefused rejects when the node cannot read what was sent', async () => {
    const closed = bridge.waitFor('HeadIsClosed', { orRefused: true })
    say({ reason: 'Error in $', input: '{"tag":' })
    expect(await refusedBy(closed)).toMatchObject({ command: 'an input', tag: 'InvalidInput' })
  })

  it('with orRefused goes on waiting when another command is refused', async () => {
    const closed = bridge.waitFor('HeadIsClosed', { orRefused: true })
    say({ tag: 'CommandFailed', clientInput: { tag: 'Init' } })
    say({ tag: 'HeadIsClosed', headId: HEAD_ID })
    expect((await closed).tag).toBe('HeadIsClosed')
  })

  it('without orRefused goes on waiting when its command is refused', async () => {
    const closed = bridge.waitFor('HeadIsClosed')
    say({ tag: 'CommandFailed', clientInput: { tag: 'Close' } })
    say({ reason: 'Error in $', input: '{' })
    say({ tag: 'HeadIsClosed', headId: HEAD_ID })
    expect((await closed).tag).toBe('HeadIsClosed')
  })

  it.each(['NetworkConnected', 'CommitFinalized', 'Greetings'] as const)(
    'with orRefused refuses %s, which no command brings about',
    async (tag) => {
      await expect(bridge.waitFor(tag, { orRefused: true })).rejects.toMatchObject({
        code: 'INPUT_ARGUMENT',
        argument: 'orRefused'
      })
    }
  )

  it('has no limit of its own', async () => {
    jest.useFakeTimers()
    try {
      const settled = jest.fn()
      void bridge.waitFor('HeadIsClosed', { orRefused: true }).then(settled, settled)
      await jest.advanceTimersByTimeAsync(1_000)
      const timers = jest.getTimerCount()
      void bridge.waitFor('HeadIsClosed', { timeout: 5 }).catch(() => undefined)
      expect(jest.getTimerCount()).toBe(timers + 1)
      expect(settled).not.toHaveBeenCalled()
    } finally {
      jest.useRealTimers()
    }
  })

  it('rejects nothing unhandled when its promise is dropped', async () => {
    const unhandled = jest.fn()
    process.on('unhandledRejection', unhandled)
    void bridge.waitFor('HeadIsClosed', { orRefused: true })
    void bridge.waitFor('Greetings', { orRefused: true })
    say({ tag: 'CommandFailed', clientInput: { tag: 'Close' } })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('a refusal that comes at once', () => {
  it('emits onCommandRefused before the bridge is connected', () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    const commands: string[] = []
    bridge.events.on('onCommandRefused', ({ command }) => commands.push(command))
    void bridge.connect().catch(() => undefined)
    connector.last.greet().say({ tag: 'CommandFailed', clientInput: { tag: 'Close' } })
    expect(commands).toEqual(['Close'])
    void bridge.disconnect()
  })
})

describe('subscribe and getSnapshot', () => {
  it('work without their bridge, as useSyncExternalStore calls them', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    const { subscribe, getSnapshot } = bridge
    const listener = jest.fn()
    const off = subscribe(listener)
    expect(getSnapshot()).toBe(getSnapshot())
    expect(getSnapshot().state).toBe('idle')
    const done = bridge.connect()
    connector.last.greet()
    await done
    expect(listener).toHaveBeenCalled()
    expect(getSnapshot().state).toBe('connected')
    off()
    listener.mockClear()
    await bridge.disconnect()
    expect(listener).not.toHaveBeenCalled()
  })

  it('refuses a listener that is no function', () => {
    const bridge = new LayerBridge({ connector: new FakeConnector() })
    expect(() => bridge.subscribe(undefined as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})
