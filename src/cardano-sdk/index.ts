export { NobleBip32Ed25519 } from './NobleBip32Ed25519.js'
