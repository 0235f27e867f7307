import { formatAda } from '../../utils/inner.js'
import type { Terminal } from '../terminal.js'
import { assertId, CommandFailure, parseCommand, UsageError } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'
import { inPlainJson } from './plainJson.js'

type Amounts = readonly { readonly unit: string; readonly quantity: string }[]

/** `layer-sdk tx`: shows a transaction of the head, and the outputs that it spends. */
export async function tx(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, NODE_OPTIONS)
  const [txId, ...more] = positionals
  if (txId === undefined || more.length > 0) throw new UsageError('tx needs one ID of a transaction.')
  assertId(txId, 'a transaction')
  const timeoutMs = timeoutOf(values, 30_000)
  const found = await withHead(values, timeoutMs, (client) => client.getTransaction(txId, { timeout: timeoutMs }))
  if (found === null) throw new CommandFailure('Neither the state of the head nor its history names this transaction.')
  if (values.json === true) return terminal.out(inPlainJson(found))
  const { state, snapshotNumber, decoded, inputs, reason } = found
  terminal.out(snapshotNumber === null ? state : `${state} in snapshot ${snapshotNumber}`)
  if (reason !== null) terminal.out(reason)
  for (const { input, output, address } of inputs)
    terminal.out(
      `from  ${address ?? `${input.txHash}#${input.index}`}  ${output === null ? 'amount not known' : amountsInAda(output.amount)}`
    )
  if (decoded === null) return
  for (const { output } of decoded.outputs) terminal.out(`to    ${output.address}  ${amountsInAda(output.amount)}`)
  terminal.out(`fee   ${formatAda(decoded.fee)} ada`)
  for (const [label, metadatum] of decoded.metadata)
    terminal.out(`metadata ${label}  ${inPlainJson(metadatum.toJson())}`)
}

/** Returns amounts as one line of text, lovelace in ada. */
export function amountsInAda(amounts: Amounts): string {
  return amounts
    .map(({ unit, quantity }) => (unit === 'lovelace' ? `${formatAda(BigInt(quantity))} ada` : `${quantity} ${unit}`))
    .join(' + ')
}
