// The rules of the game, as the ledger enforces them: rock, paper, scissors for a stake, with hidden hands.
//
//   start    somebody locks the stake with a commitment: the hash of their key, hand and salt
//   Join     another adds the same stake with a commitment of their own, before `joinBy`
//   Reveal   each shows hand and salt before `revealBy`; the second one pays the pot out
//   Claim    before anybody joins: the stake goes back. After `revealBy`: the pot goes to who has revealed, or is shared
import {
  bind,
  both,
  call,
  constr,
  count,
  demand,
  field,
  find,
  iff,
  integer,
  isTag,
  lam,
  nth,
  some,
  validate
} from './uplc.mjs'

const NONE = constr(1)
const just = (value) => constr(0, value)

// Player: [address, commitment, hand]. Game: [first, second, stake, joinBy, revealBy].
const addressOf = (player) => field(player, 0)
const commitmentOf = (player) => field(player, 1)
const handOf = (player) => field(player, 2)
const hasRevealed = (player) => isTag(handOf(player), 0)
const isHidden = (player) => isTag(handOf(player), 1)
/** The hash of a player's key, as data. */
const keyOf = (player) => field(field(addressOf(player), 0), 0)
const first = (state) => field(state, 0)
const second = (state) => field(field(state, 1), 0)
const isOpen = (state) => isTag(field(state, 1), 1)
const stake = (state) => call.unIData(field(state, 2))
const pot = (state) => bind(stake(state), (amount) => call.addInteger(amount, amount))
const between = (state, one, two) => constr(0, one, just(two), field(state, 2), field(state, 3), field(state, 4))

/** Plutus V3 hands a script one value: [transaction, redeemer, [input, datum]]. */
export const game = lam((context) =>
  bind(field(context, 0), (tx) =>
    bind(field(field(field(context, 2), 1), 0), (state) =>
      bind(
        field(
          find(inputs(tx), (each) => isOwn(context, each)),
          1
        ),
        (own) =>
          // One game in a transaction: a payment counts for one alone.
          demand(
            [
              call.equalsInteger(
                count(inputs(tx), (each) => isOf(own, each)),
                integer(1)
              )
            ],
            bind(field(context, 1), (redeemer) =>
              iff(
                isTag(redeemer, 0),
                join({ tx, state, own, redeemer }),
                iff(isTag(redeemer, 1), reveal({ tx, state, own, redeemer }), claim({ tx, state }))
              )
            )
          )
      )
    )
  )
)

const inputs = (tx) => call.unListData(field(tx, 0))
const isOwn = (context, input) => call.equalsData(field(input, 0), field(field(context, 2), 0))
/** True for an input that the same script locks, whatever its stake part. */
const isOf = (own, input) => call.equalsData(field(field(field(input, 1), 0), 0), field(field(own, 0), 0))
const output = (tx, index) => nth(call.unListData(field(tx, 2)), index)
/** Bounds of the time in which the transaction is valid: an error where one is open. */
const notBefore = (tx) => call.unIData(field(field(field(field(tx, 7), 0), 0), 0))
const endOf = (tx) => call.unIData(field(field(field(field(tx, 7), 1), 0), 0))
const endsBy = (tx, time) => call.lessThanEqualsInteger(endOf(tx), call.unIData(time))

/** True for an output of so much lovelace and no token. */
const holds = (out, amount) =>
  bind(call.unMapData(field(out, 1)), (policies) =>
    both(
      call.nullList(call.tailList(policies)),
      call.equalsInteger(call.unIData(call.sndPair(nth(call.unMapData(call.sndPair(nth(policies, 0))), 0))), amount)
    )
  )
const isPaid = (tx, index, player, amount) =>
  both(call.equalsData(field(output(tx, index), 0), addressOf(player)), holds(output(tx, index), amount))
const win = (tx, state, player) => validate(isPaid(tx, 0, player, pot(state)))
const share = (tx, state) =>
  validate(isPaid(tx, 0, first(state), stake(state)), isPaid(tx, 1, second(state), stake(state)))

/** The pot stays with the contract, in the first output: both stakes, the next state, no script that costs a fee. */
const goOn = ({ tx, state, own }, next) =>
  validate(
    call.equalsData(field(output(tx, 0), 0), field(own, 0)),
    holds(output(tx, 0), pot(state)),
    call.equalsData(field(field(output(tx, 0), 2), 0), next),
    isTag(field(output(tx, 0), 3), 1)
  )

/** Join [address, commitment]. The joiner spends from the address: one that no output can have would block a draw. */
const join = ({ tx, state, own, redeemer }) =>
  demand(
    [
      isOpen(state),
      isHidden(first(state)),
      endsBy(tx, field(state, 3)),
      call.equalsInteger(call.lengthOfByteString(call.unBData(field(redeemer, 1))), integer(32)),
      some(inputs(tx), (each) => call.equalsData(field(field(each, 1), 0), field(redeemer, 0)))
    ],
    goOn({ tx, state, own }, between(state, first(state), constr(0, field(redeemer, 0), field(redeemer, 1), NONE)))
  )

/** Reveal [isSecond, hand, salt]. */
const reveal = ({ tx, state, own, redeemer }) =>
  bind(isTag(field(redeemer, 0), 1), (isSecond) =>
    bind(iff(isSecond, second(state), first(state)), (player) =>
      bind(iff(isSecond, first(state), second(state)), (other) =>
        bind(call.unIData(field(redeemer, 1)), (hand) =>
          demand(
            [
              endsBy(tx, field(state, 4)),
              isHidden(player),
              call.lessThanEqualsInteger(hand, integer(2)),
              call.equalsByteString(commitmentTo(player, hand, field(redeemer, 2)), call.unBData(commitmentOf(player)))
            ],
            iff(
              isHidden(other),
              bind(constr(0, addressOf(player), commitmentOf(player), just(call.iData(hand))), (shown) =>
                goOn({ tx, state, own }, iff(isSecond, between(state, other, shown), between(state, shown, other)))
              ),
              settle({ tx, state, player, other, hand })
            )
          )
        )
      )
    )
  )

/** The key is in it: who copies a commitment cannot reveal it. */
const commitmentTo = (player, hand, salt) =>
  call.sha2_256(call.appendByteString(call.unBData(keyOf(player)), call.consByteString(hand, call.unBData(salt))))

/** Rock 0, paper 1, scissors 2: each beats the one before it. */
const settle = ({ tx, state, player, other, hand }) =>
  bind(call.modInteger(call.subtractInteger(hand, call.unIData(field(handOf(other), 0))), integer(3)), (lead) =>
    iff(
      call.equalsInteger(lead, integer(0)),
      share(tx, state),
      win(tx, state, iff(call.equalsInteger(lead, integer(1)), player, other))
    )
  )

const claim = ({ tx, state }) =>
  iff(
    isOpen(state),
    validate(some(call.unListData(field(tx, 8)), (each) => call.equalsData(each, keyOf(first(state))))),
    demand(
      [call.lessThanEqualsInteger(call.unIData(field(state, 4)), notBefore(tx))],
      iff(
        hasRevealed(first(state)),
        win(tx, state, first(state)),
        iff(hasRevealed(second(state)), win(tx, state, second(state)), share(tx, state))
      )
    )
  )
