// The functions of indexes that compare texts. The client decides, by the same code as an index in a folder:
// it reads what it needs, mostly by ordinary Redis commands, computes what a batch adds, and sends it to the
// server (`add_texts`), together with the lists on which its answers depend. The server adds all of it, or
// nothing if one of these lists has changed since.
//
// A posting has 8 bytes in the string of its key's bucket (buckets.hpp): the rest of the key (4) and the
// text's number. So a text is posted by APPEND, and a client that reads a bucket finds the texts of a key
// there. A key has 6 bytes, the highest first.
#include "online/redis/functions.hpp"

namespace leitong::online {

const std::string_view kRedisTextFunctions = R"lua(
local function texts_of(keys, history)
  if not is_gone(keys, history) then return {prefix = sub(keys[1], 1, -5)} end
end

-- Changes with each removal, and when the server may have lost writes: data that a client fetched in two calls
-- belong to one moment if this value is the same.
local function epoch_of(removals) return removals .. ' ' .. life end

-- args: history. Returns the number of changes, the epoch, and the next number.
local function moment(keys, args)
  if is_gone(keys, args[1]) then return kGone end
  local now = call('HMGET', keys[1], 'changes', 'removals', 'next')
  return {now[1], epoch_of(now[2]), now[3]}
end

-- args: numbers, one after another. Returns for each the record, or zeros if there is no such text.
local function records(keys, args)
  local fields = {}
  for at = 1, #args[1], 4 do fields[#fields + 1] = sub(args[1], at, at + 3) end
  local rows = call('HMGET', sub(keys[1], 1, -5) .. 'rows', list_as_arguments(fields))
  for i, row in ipairs(rows) do rows[i] = row and sub(row, 27, 62) or string.rep('\0', 36) end
  return table.concat(rows)
end

-- The level to which keys are posted if the next number is this one, and the name of a key's bucket there.
local function level_of(next, first_texts)
  local level = 0
  while level < 6 and next >= first_texts do level, first_texts = level + 1, first_texts * 4 end
  return level
end
local kMasks = {[0] = 0xC0, 0xF0, 0xFC, 0xFF, 0xC0, 0xF0, 0xFC}
local function bucket_of(index, level, keys, at)
  local last = level < 4 and at + 2 or at + 3
  return index.prefix .. 'p:' .. level .. sub(keys, at, last - 1) ..
         string.char(band(string.byte(keys, last), kMasks[level]))
end

-- watched: for each key, the key and the number of bytes of its bucket that the client saw (4).
local function unchanged(index, level, watched)
  for at = 1, #watched, 10 do
    local name, seen = bucket_of(index, level, watched, at), unpack('<I4', watched, at + 6)
    local size = call('STRLEN', name)
    if size < seen then return false end
    if size > seen then
      local rest, since = sub(watched, at + 2, at + 5), call('GETRANGE', name, seen, -1)
      for posting = 1, #since, 8 do
        if sub(since, posting, posting + 3) == rest then return false end
      end
    end
  end
  return true
end

-- posted: keys, one after another.
local function post_keys(index, level, posted, number)
  for at = 1, #posted, 6 do
    call('APPEND', bucket_of(index, level, posted, at), sub(posted, at + 2, at + 5) .. number)
  end
  return #posted / 6
end

local function unpost_key(index, level, keys, at, number)
  local name, posting = bucket_of(index, level, keys, at), sub(keys, at + 2, at + 5) .. number
  local list = call('GET', name) or ''
  for place = 1, #list, 8 do
    if sub(list, place, place + 7) == posting then
      local left = sub(list, 1, place - 1) .. sub(list, place + 8)
      if left == '' then call('DEL', name) else call('SET', name, left) end
      return true
    end
  end
  return false
end
-- They were posted to the level of the text's number, or to the one below if the call began there.
local function unpost_keys(index, first_texts, posted, number)
  local removed, highest = 0, level_of(unpack('>I4', number), first_texts)
  for at = 1, #posted, 6 do
    for level = highest, 0, -1 do
      if unpost_key(index, level, posted, at, number) then
        removed = removed + 1
        break
      end
    end
  end
  return removed
end

-- Their length is stored, so that a loss is detected.
local function append_learned(index, name, bytes)
  if bytes == '' then return end
  call('APPEND', index.prefix .. name, bytes)
  call('HINCRBY', index.prefix .. 'meta', name == 'full' and 'full_bytes' or 'template_bytes', #bytes)
end

-- args: history; changes, epoch and bytes of `templates` when the excerpt was made; the number that the client
-- gave to its first text; what to append to `full` and to `templates`; then for each text the family and content
-- slot (4 bytes each), verdict, id, source, expiry, the row after its slots, keys to post, and what its answer
-- depends on. Returns the number of the first text, or -1 if the excerpt is out of date.
local function add_texts(keys, args)
  local index = texts_of(keys, args[1])
  if not index then return kGone end
  local meta, prefix = keys[1], index.prefix
  local now = call('HMGET', meta, 'changes', 'removals', 'next', 'first_texts')
  local epoch, first, next, first_texts = epoch_of(now[2]), tonumber(args[5]), tonumber(now[3]), tonumber(now[4])
  local level = level_of(next, first_texts)
  if now[1] ~= args[2] or epoch ~= args[3] then
    if epoch ~= args[3] or call('STRLEN', prefix .. 'templates') ~= tonumber(args[4]) then return -1 end
    -- The client read the buckets of another level.
    if level_of(first, first_texts) ~= level then return -1 end
    for i = 8, #args, 9 do
      if call('HEXISTS', prefix .. 'ids', args[i + 3]) == 1 or not unchanged(index, level, args[i + 8]) then return -1 end
    end
  end
  append_learned(index, 'full', args[6])
  append_learned(index, 'templates', args[7])
  -- Others may have taken the numbers meanwhile.
  local function slot(bytes)
    if first == next then return bytes end
    local number = unpack('>I4', bytes)
    return number < first and bytes or pack('>I4', number - first + next)
  end
  local rows, ids, counts, taken, postings = {}, {}, {['0'] = 0, ['1'] = 0, ['2'] = 0}, next, 0
  for i = 8, #args, 9 do
    local number, family, content, verdict = pack('>I4', taken), slot(args[i]), slot(args[i + 1]), args[i + 2]
    local id, source, expires = args[i + 3], args[i + 4], args[i + 5]
    rows[#rows + 1] = number
    rows[#rows + 1] = family .. content .. args[i + 6]
    ids[#ids + 1] = id
    ids[#ids + 1] = number
    counts[verdict] = counts[verdict] + 1
    if verdict == '1' then call('RPUSH', prefix .. 'c:' .. content, number) end
    if verdict == '2' then call('RPUSH', prefix .. 'm:' .. family, number) end
    postings = postings + post_keys(index, level, args[i + 7], number)
    if source ~= '' then call('ZADD', prefix .. 'source:' .. source, taken, id) end
    if expires ~= '' then call('ZADD', prefix .. 'expiry', expires, id) end
    taken = taken + 1
  end
  call('HSET', prefix .. 'rows', list_as_arguments(rows))
  call('HSET', prefix .. 'ids', list_as_arguments(ids))
  call('HSET', meta, 'next', taken, 'changes', now[1] + 1)
  call('HINCRBY', meta, 'postings', postings)
  for verdict, count in pairs(counts) do
    if count > 0 then call('HINCRBY', meta, kCounts[tonumber(verdict)], count) end
  end
  return next
end

register('moment', moment, {'no-writes'})
register('records', records, {'no-writes'})
register('add_texts', add_texts, {})
)lua";

}  // namespace leitong::online
