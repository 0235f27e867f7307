import { WebSocket } from 'ws'
import { parseJson } from '../../codec/json.js'
import { DevNodeForkError } from '../../errors/devnode.js'
import { readCappedText } from '../../net/cappedBody.js'
import { isObject } from '../json/isObject.js'
import { forkUrl } from './forkUrl.js'

/** State of a running head, as its API shows it. */
export interface ForkedHead {
  readonly headId: string
  /** As the node writes it: `2.3.0-...`. */
  readonly nodeVersion: string
  /** True when the node has a period of deposit activation, which releases after 2.3.0 have. */
  readonly depositActivation: boolean
  /** Slot of the base ledger; null where the node does not say (before 1.3). */
  readonly slot: number | null
  /** Outputs by reference, in the node's JSON. */
  readonly utxo: Readonly<Record<string, unknown>>
  readonly protocolParameters: Readonly<Record<string, unknown>>
}

/** Limit of all requests together, ms. */
const TIMEOUT_MS = 60_000
/** Most bytes of an answer: about a million outputs. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Reads an open head over the API of its node, without changing it.
 *
 * @throws {@link InvalidArgumentError} on an invalid URL. @throws {@link DevNodeForkError} (as rejections)
 */
export async function readHead(url: string, timeoutMs: number = TIMEOUT_MS): Promise<ForkedHead> {
  const node = forkUrl(url)
  const deadline = AbortSignal.timeout(timeoutMs)
  const greetings = await readGreetings(node, deadline)
  const { headStatus, hydraHeadId, hydraNodeVersion, currentSlot, env } = greetings
  if (headStatus !== 'Open' || typeof hydraHeadId !== 'string') {
    throw new DevNodeForkError(node.origin, 'has no open head', {
      expected: 'a head that is Open',
      got: typeof headStatus === 'string' ? headStatus : 'no state'
    })
  }
  const [utxo, protocolParameters] = await Promise.all([
    readObject(node, '/snapshot/utxo', deadline),
    readObject(node, '/protocol-parameters', deadline)
  ])
  return {
    headId: hydraHeadId,
    nodeVersion: typeof hydraNodeVersion === 'string' ? hydraNodeVersion : '',
    // No other member of the node's environment is read: up to 2.1 it holds the node's signing key.
    depositActivation: isObject(env) && env['depositActivation'] !== undefined,
    slot: Number.isSafeInteger(currentSlot) && (currentSlot as number) >= 0 ? (currentSlot as number) : null,
    utxo,
    protocolParameters
  }
}

/** Reads the first message of a connection, the node's Greetings. */
function readGreetings(node: URL, deadline: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(node)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('history', 'no')
  url.searchParams.set('snapshot-utxo', 'no')
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { maxPayload: MAX_BYTES })
    const settle = (act: () => void): void => {
      deadline.removeEventListener('abort', onTimeout)
      act()
      socket.terminate()
    }
    const fail = (problem: string, cause?: unknown): void =>
      settle(() => reject(new DevNodeForkError(node.origin, problem, { cause })))
    const onTimeout = (): void => fail('did not answer in time')
    deadline.addEventListener('abort', onTimeout)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(`could not be reached (${error.code ?? 'no WebSocket'})`, error)
    )
    socket.on('close', () => fail('closed the connection before it said anything'))
    socket.on('message', (data: Buffer) => {
      const message = jsonOf(data.toString('utf8'))
      if (isObject(message) && message['tag'] === 'Greetings') settle(() => resolve(message))
      else fail('is no head node: its first message is not Greetings')
    })
  })
}

async function readObject(node: URL, path: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(node)
  url.protocol = url.protocol.replace('ws', 'http')
  url.pathname = url.pathname.replace(/\/$/, '') + path
  const failed = (problem: string, cause?: unknown): DevNodeForkError =>
    new DevNodeForkError(node.origin, problem, { cause })
  let text: string
  let status: number
  try {
    const response = await fetch(url, { signal, redirect: 'error' })
    status = response.status
    text = await readCappedText(response, MAX_BYTES, () =>
      failed(`answers GET ${path} with more than ${MAX_BYTES} bytes`)
    )
  } catch (error) {
    if (error instanceof DevNodeForkError) throw error
    throw failed(signal.aborted ? `did not answer GET ${path} in time` : `went away during GET ${path}`, error)
  }
  const value = jsonOf(text)
  if (status !== 200) throw failed(`answers GET ${path} with status ${status}`)
  if (!isObject(value)) throw failed(`answers GET ${path} with what is no JSON object`)
  return value
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
