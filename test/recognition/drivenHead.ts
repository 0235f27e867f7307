import { SLOT_CONFIG } from '../../src/constants'
import type { DevNodeOptions, DevNodeProfile, DrivenHead } from '../../src/devnode'
import { DevNode, manualClock } from '../../src/devnode'
import { depositAddress } from '../../src/devnode/inner'
import { headAddress } from '../../src/devnode/headTxs/HeadTxs'
import { IndexerProvider, KupoProvider, RpcProvider } from '../../src/providers'
import type { Recognition, RecogniseHeadOptions } from '../../src/recognition'
import { recogniseHead, SetMemo } from '../../src/recognition'

const memo = new SetMemo()
/** Options of a node whose time stands still, for driveTo. */
export function nodeOptions(profile: DevNodeProfile): DevNodeOptions {
  return {
    profile,
    accumulator: 'real',
    accounts: 0,
    parties: 2,
    testKeys: ['alice', 'bob', 'carol'],
    clock: manualClock(1_788_000_000_000),
    timings: { blockMs: 2_000, depositDelayMs: 30_000, depositPeriodMs: 600_000, contestationPeriodMs: 60_000 }
  }
}

export function freshNode(profile: DevNodeProfile, more: DevNodeOptions = {}): DevNode {
  return new DevNode({ ...nodeOptions(profile), ...more })
}

/** The faces of the base ledger that a wallet can read, by their providers. */
export function facesOf(node: DevNode): Record<string, Partial<RecogniseHeadOptions>> {
  const fetch = async (url: string, init?: { method?: string; body?: string | null }): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const body = init?.body == null ? {} : { body: Buffer.from(init.body) }
    const reply = await node.baseRequest({ method: init?.method ?? 'GET', path: pathname + search, ...body })
    return new Response(reply.body, { status: reply.status })
  }
  const options = { network: 'preprod', retry: { attempts: 1 }, fetch: fetch as never } as const
  const base = 'http://127.0.0.1:1'
  return {
    blockfrost: {
      provider: new IndexerProvider({ ...options, apiKey: 'preprod0123456789', baseUrl: `${base}/api/v0` })
    },
    kupo: { provider: new KupoProvider({ ...options, baseUrl: `${base}/kupo` }) },
    ogmios: {
      provider: new RpcProvider({ ...options, apiEndpoint: base }),
      headAddress: headAddress(0)
    }
  }
}

/** Looks at a driven head over one face of the base ledger, and GET /snapshot of its node. */
export function recogniseAt(
  node: DevNode,
  { headId, address }: Pick<DrivenHead, 'headId' | 'address'>,
  face: Partial<RecogniseHeadOptions>
): Promise<Recognition> {
  return recogniseHead({
    headId: headId ?? 'ab'.repeat(28),
    endpoints: ['http://head.test'],
    addresses: [address],
    slotConfig: SLOT_CONFIG.PREPROD,
    depositAddress: depositAddress(0),
    memo,
    // The datum of 2.3 does not name the period; without it a pending deposit has no phase.
    depositPeriodMs: node.timings.depositPeriodMs,
    fetchImpl: async () => {
      const reply = await node.request({ method: 'GET', path: '/snapshot', body: '' })
      return new Response(reply.body, { status: reply.status })
    },
    ...face
  } as RecogniseHeadOptions)
}
