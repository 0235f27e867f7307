/**
 * Appends one record, in one step of the server: the fence, the key that appends once, the record, and the removal of
 * old records.
 *
 * Keys: stream, its meta, ids by once-key, ages of once-keys, fence, epoch. Arguments: record, fence or '', '1' where
 * there is a once-key, the once-key, its time in ms, most of them, records kept (-1: all), ms kept (-1: none), bytes
 * kept, epoch that the fence was given out in, or ''.
 *
 * A Redis that was emptied counts its fences from 1 again: the epoch tells the earlier ones apart.
 *
 * A record names the one before it (`p`), so that a reader sees when records are missing. Time is that of the server.
 */
export const APPEND = `
if ARGV[2] ~= '' and redis.call('GET', KEYS[5]) ~= ARGV[2] then return {'fenced'} end
if ARGV[10] ~= '' and redis.call('GET', KEYS[6]) ~= ARGV[10] then return {'fenced'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[3] == '1' then
  local old = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[5], 'LIMIT', 0, 64)
  local surplus = redis.call('ZCARD', KEYS[4]) - #old - ARGV[6] + 1
  if surplus > 0 then
    for _, key in ipairs(redis.call('ZRANGE', KEYS[4], #old, #old + surplus - 1)) do old[#old + 1] = key end
  end
  for _, key in ipairs(old) do
    redis.call('ZREM', KEYS[4], key)
    redis.call('HDEL', KEYS[3], key)
  end
  local age = redis.call('ZSCORE', KEYS[4], ARGV[4])
  if age and age + ARGV[5] > now then return {'known', redis.call('HGET', KEYS[3], ARGV[4])} end
end
local last = redis.call('HGET', KEYS[2], 'last') or ''
local id = redis.call('XADD', KEYS[1], '*', 'r', ARGV[1], 'p', last)
redis.call('HSET', KEYS[2], 'last', id)
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[3], ARGV[4], id)
  redis.call('ZADD', KEYS[4], now, ARGV[4])
end
local bytes = redis.call('HINCRBY', KEYS[2], 'bytes', #ARGV[1])
local length = redis.call('XLEN', KEYS[1])
local records, ms, most = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local dropped = 0
while length > 1 and dropped < 1000 do
  if bytes <= most and (records < 0 or length <= records) then break end
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  local isTooOld = records >= 0 and length > records and (ms < 0 or now - tonumber(string.match(oldest[1], '^%d+')) >= ms)
  if bytes <= most and not isTooOld then break end
  bytes = bytes - #oldest[2][2]
  length = length - 1
  dropped = dropped + 1
  redis.call('XTRIM', KEYS[1], 'MAXLEN', length)
end
if dropped > 0 then redis.call('HSET', KEYS[2], 'bytes', bytes) end
return {'first', id}
`

/**
 * Reads records after an id, the bounds of the stream and the epoch. Keys: stream, its meta, epoch. Arguments: after or
 * '', limit, an epoch for a log that has none.
 */
export const READ = `
redis.call('SET', KEYS[3], ARGV[3], 'NX')
local records = redis.call('XRANGE', KEYS[1], ARGV[1] == '' and '-' or '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
return {redis.call('GET', KEYS[3]), oldest and oldest[1] or '', redis.call('HGET', KEYS[2], 'last') or '', records}
`

/**
 * Acquires a lease. Keys: lease, fence, epoch. Arguments: a text that identifies the holder, ms, an epoch for a log
 * that has none.
 */
export const LEASE = `
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {0, ''} end
redis.call('SET', KEYS[3], ARGV[3], 'NX')
return {redis.call('INCR', KEYS[2]), redis.call('GET', KEYS[3])}
`

/** Prolongs a lease. Keys: lease. Arguments: the holder's text, ms. */
export const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`

/** Releases a lease. Keys: lease. Arguments: the holder's text. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`
