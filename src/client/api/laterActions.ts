// The head's life, and what moves money into a head and out of it: loaded with the first such call, since a page that pays
// needs none of it.
export { abortHead } from '../actions/abortHead.js'
export { closeAndFanoutHead } from '../actions/closeAndFanoutHead.js'
export { closeHead } from '../actions/closeHead.js'
export { contest } from '../actions/contest.js'
export { deposit } from '../actions/deposit.js'
export { fanoutHead } from '../actions/fanoutHead.js'
export { open } from '../actions/open.js'
export { recover } from '../actions/recover.js'
export { withdraw } from '../actions/withdraw.js'
