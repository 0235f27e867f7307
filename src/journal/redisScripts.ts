/** Each script runs whole or not at all. KEYS: lock, entries, order, text of the last holder of the lock. */

/**
 * Acquires the lock where it is free, own, or held by ARGV[3]. Answers 1 on success, 0 where another process holds it,
 * and 2 where it was own before and another process has held it since. ARGV: own text, time to live in ms, text of an
 * ended holder, 1 where it was own before.
 */
export const LOCK = `
local held = redis.call('GET', KEYS[1])
if ARGV[4] == '1' and redis.call('GET', KEYS[4]) ~= ARGV[1] then return {2, held or '', 0} end
if held == false or held == ARGV[1] or (ARGV[3] ~= '' and held == ARGV[3]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[4], ARGV[1])
  return {1, ARGV[1], 0}
end
return {0, held, redis.call('PTTL', KEYS[1])}`

/**
 * Beginning of the scripts that need the lock. A lock that expired while its holder stood still is own again, unless
 * another process has held it since.
 */
const HOLD = `
local held = redis.call('GET', KEYS[1])
if held == false and redis.call('GET', KEYS[4]) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  held = ARGV[1]
end
if held ~= ARGV[1] then return 0 end`

/** Prolongs the lock. ARGV: own text, time to live in ms. */
export const RENEW_LOCK: string = `${HOLD}
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`

/** Releases the lock. ARGV: own text. */
export const UNLOCK = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`

/**
 * Writes entries, if the caller holds the lock. ARGV: own text, time to live in ms, then id and text of each; an empty
 * text removes the entry.
 */
export const PUT: string = `${HOLD}
for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[i])
    redis.call('LREM', KEYS[3], 1, ARGV[i])
  elseif redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('RPUSH', KEYS[3], ARGV[i])
  end
end
return 1`

/** Reads entries in their order. ARGV: first, last. */
export const READ_ENTRIES = `
local ids = redis.call('LRANGE', KEYS[3], ARGV[1], ARGV[2])
if #ids == 0 then return {} end
return redis.call('HMGET', KEYS[2], unpack(ids))`
