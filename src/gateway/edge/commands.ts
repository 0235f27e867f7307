import { readAddresses, networkOfAddresses } from '../protocol/joinRequest.js'
import { claimedTxId, readClientCommand } from '../protocol/clientCommand.js'
import type { ClientCommand } from '../protocol/clientCommand.js'
import type { Client } from './Client.js'
import type { EdgeContext } from './EdgeContext.js'
import type { HeadEdge } from './HeadEdge.js'
import type { SubmissionVerdict } from './Submissions.js'

/** Source of a command. */
export interface CommandSource {
  readonly context: EdgeContext
  readonly head: HeadEdge
  readonly client: Client
}

const UNAVAILABLE = 'the node cannot be reached now; no message was sent'

/** Handles one event of a client; never throws. */
export function handleCommand(source: CommandSource, event: unknown, acknowledge: unknown): void {
  const { context, head, client } = source
  const answer = (reason: string | null, unsent: string | null = null): void => {
    if (reason !== null) {
      context.metrics.refusals++
      head.fanout.refuse(client, reason, unsent)
    }
    if (typeof acknowledge === 'function' && head.fanout.keepsUp(client))
      (acknowledge as (answer: object) => void)(reason === null ? { accepted: true } : { accepted: false, reason })
  }
  const rate = context.limiter.consume(client.who)
  if (rate === 'flood') return client.close()
  if (rate === 'limited') return answer('too many commands', unsentTxId(source, event))
  act(source, readClientCommand(event)).then(
    (reason) => answer(reason, unsentTxId(source, event)),
    // The log may have the command all the same.
    () => answer(UNAVAILABLE)
  )
}

/** Returns the id of a refused command's transaction if certainly no copy of it was sent; else null. */
function unsentTxId({ head }: CommandSource, event: unknown): string | null {
  const txId = claimedTxId(event)
  // Without the log the transactions of other processes are unknown here.
  return txId !== null && head.reading && head.submissions.isNew(txId) ? txId : null
}

/** Runs a command: resolves with the reason of a refusal, null when it was accepted. */
async function act(source: CommandSource, command: ClientCommand): Promise<string | null> {
  const { head, client } = source
  switch (command.kind) {
    case 'refused':
      return command.reason
    case 'resync':
      if (!client.extended) return 'unknown command'
      head.fanout.sendSnapshot(client, 'resync')
      return null
    case 'subscribe':
      return subscribe(source, command.addresses)
    case 'input':
      return submit(source, command)
  }
}

function subscribe({ context, head, client }: CommandSource, rawAddresses: unknown): string | null {
  if (client.mode !== 'address') return 'subscribe needs the mode address'
  const addresses = readAddresses(rawAddresses, context.limits.addresses)
  if (addresses === null) return `expected 1 to ${context.limits.addresses} payment addresses of one network`
  const { addresses: allowed } = client.access
  if (allowed !== null && ![...addresses].every((address) => allowed.has(address)))
    return 'the token allows other addresses'
  if (!isOfNetwork(head, addresses)) return 'addresses of another network'
  head.fanout.rooms.move(client, addresses)
  head.fanout.sendSnapshot(client, 'resync')
  return null
}

/** Returns true when addresses belong to the head's network, as far as its outputs show which network that is. */
export function isOfNetwork({ view }: HeadEdge, addresses: ReadonlySet<string>): boolean {
  for (const { address } of view.head.utxo.values()) {
    const network = networkOfAddresses(address)
    if (network !== null) return [...addresses].every((each) => networkOfAddresses(each) === network)
  }
  return true
}

async function submit(
  { context, head, client }: CommandSource,
  command: ClientCommand & { kind: 'input' }
): Promise<string | null> {
  const { input, scope, txId } = command
  const { submissions } = head
  if (!client.access.scopes.has(scope)) return 'forbidden'
  if (context.closing() || !head.available) return UNAVAILABLE
  // The id of a recovery is the client's word: it makes no message its own.
  if (txId !== null && input['tag'] === 'Recover') client.addRecovering(txId)
  else if (txId !== null) client.addOwn(txId)
  if (txId === null || input['tag'] !== 'NewTx') return submissions.command(input, txId)
  const knownVerdict = submissions.known(txId)
  if (knownVerdict !== null) {
    repeatVerdict(head, client, txId, knownVerdict)
    return null
  }
  if (submissions.isFull) return UNAVAILABLE
  const { sent, verdict } = submissions.submit(txId, input)
  void verdict.then(({ outcome }) => void context.metrics.verdicts[outcome]++)
  // Accepted once it is in the log; the verdict comes as a message.
  await sent
  return null
}

/** Sends the known verdict on a transaction to a client that submits it again. */
function repeatVerdict(head: HeadEdge, client: Client, txId: string, verdict: SubmissionVerdict): void {
  if (verdict.outcome === 'confirmed') {
    const record = verdict.record ?? head.view.confirmedIn(txId)
    if (record !== null) head.fanout.sendConfirmed(client, record)
  } else if (verdict.outcome === 'refused' && verdict.message !== null) head.fanout.sendMessage(client, verdict.message)
  else head.fanout.refuse(client, `${txId}: ${verdict.reason}`)
}
