/**
 * Adds encrypted events while there is room for them, as `hasRoom` in `@legate/rate-limit` decides. KEYS[1] stream,
 * KEYS[2] hash of bytes; ARGV: limit in bytes, share in percent, then organization, encrypted event and size of each.
 * Returns the waiting bytes, and the indexes of the events that were not added.
 */
export const ADD_EVENTS = `
local max, share = tonumber(ARGV[1]), tonumber(ARGV[1]) * tonumber(ARGV[2]) / 100
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
local total = tonumber(redis.call('HGET', KEYS[2], 'total') or 0)
local answer = {0}
for i = 3, #ARGV, 3 do
  local field, size = 'of:' .. ARGV[i], tonumber(ARGV[i + 2])
  local own = tonumber(redis.call('HGET', KEYS[2], field) or 0)
  if total + size <= max - 4 * share or own + size <= math.min(share, (max - total) / 4) then
    redis.call('XADD', KEYS[1], '*', 'sealed', ARGV[i + 1], 'organization', ARGV[i])
    redis.call('HINCRBY', KEYS[2], field, size)
    total = redis.call('HINCRBY', KEYS[2], 'total', size)
  else
    answer[#answer + 1] = (i - 3) / 3
  end
end
answer[1] = total
return answer`;

/**
 * Removes events that were delivered, and subtracts their bytes, once each. KEYS[1] stream, KEYS[2] hash of bytes;
 * ARGV: group, then id, organization and size of each.
 */
export const REMOVE_EVENTS = `
for i = 2, #ARGV, 3 do
  redis.call('XACK', KEYS[1], ARGV[1], ARGV[i])
  if redis.call('XDEL', KEYS[1], ARGV[i]) == 1 then
    local field = 'of:' .. ARGV[i + 1]
    if redis.call('HINCRBY', KEYS[2], field, -ARGV[i + 2]) <= 0 then redis.call('HDEL', KEYS[2], field) end
    redis.call('HINCRBY', KEYS[2], 'total', -ARGV[i + 2])
  end
end
return 1`;

/**
 * Moves undecryptable events to a separate stream, unchanged and once each, and subtracts their bytes. KEYS[1] stream,
 * KEYS[2] hash of bytes, KEYS[3] separate stream; ARGV: group, the maximum length of the separate stream, the name of
 * the source stream, then id, organization, size and encrypted event of each.
 */
export const SET_ASIDE = `
for i = 4, #ARGV, 4 do
  redis.call('XACK', KEYS[1], ARGV[1], ARGV[i])
  if redis.call('XDEL', KEYS[1], ARGV[i]) == 1 then
    local field = 'of:' .. ARGV[i + 1]
    if redis.call('HINCRBY', KEYS[2], field, -ARGV[i + 2]) <= 0 then redis.call('HDEL', KEYS[2], field) end
    redis.call('HINCRBY', KEYS[2], 'total', -ARGV[i + 2])
    redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[2], '*', 'sealed', ARGV[i + 3], 'organization', ARGV[i + 1], 'stream', ARGV[3])
  end
end
return 1`;
