/** @jest-environment jsdom */
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { createElement, StrictMode } from 'react'
import { TextDecoder, TextEncoder } from 'node:util'
import { renderToString } from 'react-dom/server'
import { encodeDepositDatum } from '../../src/codec/depositDatum'
import { bytesToHex } from '../../src/codec/hex'
import { stringifyJson } from '../../src/codec/json'
import { HEAD_TOKEN } from '../../src/recognition/rules'
import type { Fetcher, UTxO } from 'layer-sdk/providers'
import type { RecognitionCardsProps } from 'layer-sdk/react'
import { RecognitionCards } from 'layer-sdk/react'
import type { WatchRecognitionOptions } from 'layer-sdk/recognition'
import { HEAD_ID, openHead, output, OWN, ref, signedBundle } from '../recognition/madeHead'
import { SCRIPT_ADDRESS } from '../recognition/headOutputs'

// jsdom has none, and a library of curves needs it.
Object.assign(globalThis, { TextEncoder, TextDecoder })

afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const ADA = 1_000_000
const HOUR = 3_600_000
const slotConfig = { zeroTime: 0, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432_000 }
const OTHER_ID = 'b2'.repeat(28)

/** A chain source and an endpoint, both of which a test changes. */
function world(): {
  options: WatchRecognitionOptions
  body: unknown
  slot: number
  isDown: boolean
  deposits: UTxO[]
} {
  const state = { body: null as unknown, slot: 1_788_000_000, isDown: false, deposits: [] as UTxO[] }
  const answer = <T>(value: T): Promise<T> =>
    state.isDown ? Promise.reject(new Error('down')) : Promise.resolve(value)
  const fetcher: Fetcher = {
    fetchAddressUTxOs: () => answer([]),
    fetchUTxOs: (inputs) =>
      answer(
        [...state.deposits, openHead(15 * ADA) as UTxO].filter(({ input }) =>
          inputs.some(({ txHash }) => txHash === input.txHash)
        )
      ),
    fetchAssetUTxOs: (unit) => answer(unit === HEAD_ID + HEAD_TOKEN ? [openHead(15 * ADA) as UTxO] : []),
    fetchProtocolParameters: () => Promise.reject(new Error('not needed')),
    fetchTip: () => answer({ slot: state.slot, hash: `${state.slot} ${state.deposits.length}`, height: 1 })
  }
  const options: WatchRecognitionOptions = {
    headId: HEAD_ID,
    provider: { fetcher },
    endpoints: ['https://head.example'],
    addresses: [OWN],
    slotConfig,
    interval: 20,
    // The page of jsdom has no Response.
    fetchImpl: () => {
      const text = state.body === null ? '' : stringifyJson(state.body)
      const status = state.body === null ? 503 : 200
      return Promise.resolve({ status, body: null, text: () => Promise.resolve(text) } as unknown as Response)
    }
  }
  return Object.assign(state, { options })
}

function deposit(deadlineMs: number): UTxO {
  const amount = [{ unit: 'lovelace', quantity: '7000000' }]
  const deposited = [{ input: { txHash: 'cc'.repeat(32), index: 0 }, output: { address: OWN, amount } }]
  const inlineDatum = bytesToHex(encodeDepositDatum({ headId: HEAD_ID, deadlineMs, deposited }))
  return {
    input: { txHash: 'de'.repeat(32), index: 0 },
    output: { address: SCRIPT_ADDRESS, amount, inlineDatum }
  }
}

function show(heads: readonly WatchRecognitionOptions[], more: Partial<RecognitionCardsProps> = {}): HTMLElement {
  return render(createElement(StrictMode, null, createElement(RecognitionCards, { heads, ...more }))).container
}

const card = (page: HTMLElement): HTMLElement => page.querySelector('.recognition-card')!
const sumsOn = (page: HTMLElement): string[] =>
  [...page.querySelectorAll<HTMLElement>('.recognition-sums > div')].map(
    (each) => `${each.dataset['part']}: ${each.querySelector('dd')!.textContent}`
  )

describe('RecognitionCards', () => {
  it('shows a verified head with its snapshot, unstyled, and with nothing that spends', async () => {
    const here = world()
    here.body = await signedBundle({
      number: 4,
      utxo: { [ref(1)]: output(5 * ADA) },
      utxoToDecommit: { [ref(2)]: output(3 * ADA) }
    })
    const page = show([here.options])
    expect(card(page).getAttribute('aria-busy')).toBe('true')
    await waitFor(() => expect(card(page).dataset['state']).toBe('VERIFIED_IN_HEAD'))
    expect(card(page).dataset['tone']).toBe('ok')
    expect(sumsOn(page)).toEqual(['available: 5 ada', 'leaving: 3 ada'])
    expect(page.querySelector('.recognition-as-of')!.textContent).toBe('as of snapshot 4 (version 0)')
    expect(page.querySelector('.recognition-head-id')!.textContent).toBe(HEAD_ID)
    expect(page.querySelectorAll('button, a, form, [style]')).toHaveLength(0)
  })

  it('keeps a head that cannot be verified any more visible, with its reason and the last verified amounts', async () => {
    const here = world()
    here.body = await signedBundle({ number: 4, utxo: { [ref(1)]: output(5 * ADA) } })
    const page = show([here.options])
    await waitFor(() => expect(sumsOn(page)).toEqual(['available: 5 ada']))
    here.body = null
    await waitFor(() => expect(card(page).dataset['state']).toBe('UNVERIFIABLE'))
    expect(card(page).dataset).toMatchObject({ tone: 'warn', reason: 'refused' })
    expect(page.querySelector('.recognition-flag')!.textContent).toMatch(/refuses/)
    expect(page.querySelector('.recognition-detail')!.textContent).toMatch(/503/)
    expect(sumsOn(page)).toEqual(['last-verified: 5 ada'])
    expect(page.querySelector('.recognition-as-of')!.textContent).toBe('as of snapshot 4 (version 0)')
  })

  it('counts a deposit down to its next moment, and offers it once it can be recovered', async () => {
    const here = world()
    here.body = await signedBundle({ utxo: {} })
    const deadlineMs = here.slot * 1000 + 2.5 * HOUR
    here.deposits = [deposit(deadlineMs)]
    const recoverable: unknown[] = []
    const page = show([{ ...here.options, depositTxIds: ['de'.repeat(32)] }], {
      formatTime: (timeMs) => String(timeMs),
      renderRecoverable: (each) => (recoverable.push(each), createElement('button', null, 'Recover'))
    })
    const next = (): string => page.querySelector('.recognition-next')?.textContent ?? ''
    await waitFor(() => expect(next()).toContain(`The head can claim it: ${deadlineMs - 2 * HOUR} (in 30 min`))
    // Half a minute later by this device's clock alone.
    const now = Date.now()
    jest.spyOn(Date, 'now').mockImplementation(() => now + 65_000)
    await waitFor(() => expect(next()).toMatch(/in 28 min 5\d s/), { timeout: 3_000 })
    jest.restoreAllMocks()
    expect(page.querySelector('button')).toBeNull()
    here.slot += 3 * 3_600
    await waitFor(() => expect(page.querySelector('button')).not.toBeNull())
    expect(recoverable.at(-1)).toEqual({ headId: HEAD_ID, depositTxId: 'de'.repeat(32) })
    expect(page.querySelector('.recognition-deposits')!.textContent).toContain('can be recovered: 7 ada')
    // A deposit is in no sum of the head.
    expect(sumsOn(page)).toEqual(['available: nothing'])
  })

  it('has one card a head, each with its own answer, and names a chain source that fails', async () => {
    const here = world()
    here.body = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    const gone = { ...here.options, headId: OTHER_ID }
    const page = show([here.options, gone, { ...here.options }], {
      formatAmount: ({ unit, quantity }) => `${quantity} of ${unit}`
    })
    await waitFor(() =>
      expect([...page.querySelectorAll<HTMLElement>('article')].map(({ dataset }) => dataset['state'])).toEqual([
        'VERIFIED_IN_HEAD',
        'NO_HEAD'
      ])
    )
    expect(sumsOn(page)).toEqual(['available: 5000000 of lovelace'])
    here.isDown = true
    await waitFor(() => expect(card(page).textContent).toContain('cannot be read: this is the last answer'))
    // The answer stays beside it.
    expect(sumsOn(page)).toEqual(['available: 5000000 of lovelace'])
    here.isDown = false
    await waitFor(() => expect(card(page).textContent).not.toContain('cannot be read'))
  })

  it('says so when the base ledger has not answered at all, and stops looking with the page', async () => {
    const here = world()
    here.isDown = true
    const page = show([here.options])
    await waitFor(() => expect(card(page).textContent).toContain('The base ledger cannot be read.'))
    expect(card(page).getAttribute('aria-busy')).toBe('false')
    const looks = jest.spyOn(here.options.provider.fetcher, 'fetchAssetUTxOs')
    act(() => cleanup())
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(looks.mock.calls.length).toBeLessThanOrEqual(1)
  })

  it('renders on a server without a look at anything', () => {
    const here = world()
    const fetchTip = jest.spyOn(here.options.provider.fetcher, 'fetchTip')
    const html = renderToString(createElement(RecognitionCards, { heads: [here.options] }))
    expect(html).toContain('Reading the base ledger')
    expect(html).toContain(HEAD_ID)
    expect(fetchTip).not.toHaveBeenCalled()
  })
})
